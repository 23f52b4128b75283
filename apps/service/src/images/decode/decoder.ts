import * as z from "zod";
import { SECOND_MS } from "#lib/time.js";
import { createPlaces } from "#work/places.js";
import {
  askProcess,
  DecoderFailedError,
  isLiving,
  killProcess,
  type MemoryLimit,
  type Process,
  startProcess,
  type TimeLimits,
} from "./process.js";
import type { DecodeAnswer, DecodeRequest } from "./protocol.js";
import { selfTests } from "./self-test.js";

/** Decodes images in processes of its own. Any number of calls may run at the same time; those that have no process wait for one. */
export interface Decoder {
  /**
   * Decodes one image. `ok: false` is the decoder's own word about the bytes: they are no image, damaged, or have too many pixels. It is
   * the only answer that is final. Anything else says nothing about the image and is thrown.
   *
   * @param signal ends the process
   * @param projectId a project never has all processes, if there are several. @default any process
   * @throws {DecoderFailedError}
   * @throws the reason of the signal
   */
  decode(request: DecodeRequest, signal: AbortSignal, projectId?: number): Promise<DecodeAnswer>;
  /**
   * Proves that a process decodes a known good image. It costs nothing shortly after another image was decoded. Never throws.
   *
   * @param signal ends the proof
   */
  check(signal: AbortSignal): Promise<DecoderState>;
  /** The ids of the running processes. */
  pids(): number[];
  close(): Promise<void>;
}

export interface DecoderState {
  /** Why no image can be decoded, in words; null if images can be decoded. */
  problem: string | null;
  /** What the process said about it, for the log. */
  details: string | null;
  /** Whether the system keeps a process from taking more memory than it may. */
  isMemoryLimited: boolean;
}

export interface DecoderOptions extends TimeLimits {
  /** The program that a process runs. */
  program: string;
  /** The most processes that decode at the same time. */
  processes: number;
  /** Memory that one process may allocate for its images, besides what it has before the first one. */
  memoryBytes: number;
  /** After so many images a process is replaced, so that leaks and fragments of memory do not add up. */
  maxJobs: number;
}

/** A decoder that has just answered needs no other proof. */
const PROOF_LASTS_MS = 30 * SECOND_MS;

export function createDecoder(options: DecoderOptions): Decoder {
  const { program } = options;
  const idle: Process[] = [];
  const running = new Set<Process>();
  const slots = createSlots(options.processes);
  let lastAnswerAt = -Infinity;
  let limit: Promise<MemoryLimit> | null = null;
  let isMemoryLimited: boolean | null = null;

  /** A process without a limit, which gets no image, tells what Node itself needs. That differs by hundreds of megabytes between versions. */
  const measureLimit = async (): Promise<MemoryLimit> => {
    const { process, started } = await startProcess({
      program,
      running,
      dataBytes: null,
      provesLimit: false,
    });
    await killProcess(process);
    return started.dataBytes === null ? null : started.dataBytes + options.memoryBytes;
  };

  const start = async (): Promise<Process> => {
    limit ??= measureLimit();
    const dataBytes = await limit.catch((error: unknown) => {
      limit = null;
      throw error;
    });
    const provesLimit = dataBytes !== null && isMemoryLimited === null;
    const { process, started } = await startProcess({ program, running, dataBytes, provesLimit });
    isMemoryLimited ??= dataBytes !== null && started.isMemoryLimited === true;
    return process;
  };

  const decodeIn = async (
    process: Process,
    request: DecodeRequest,
    signal: AbortSignal,
  ): Promise<DecodeAnswer> => {
    const abort = () => void process.child.kill("SIGKILL");
    signal.addEventListener("abort", abort, { once: true });
    try {
      if (signal.aborted) abort();
      const parsed = processAnswer.safeParse(await askProcess(process, request, options));
      if (!parsed.success) throw new DecoderFailedError("crashed", "the decoder sent no answer");
      if (parsed.data.ok === null)
        throw new DecoderFailedError(parsed.data.kind, failures[parsed.data.kind], parsed.data.reason);
      process.jobs++;
      if (process.jobs < options.maxJobs) idle.push(process);
      else await killProcess(process);
      lastAnswerAt = performance.now();
      return parsed.data;
    } catch (error) {
      await killProcess(process);
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  };

  const decode: Decoder["decode"] = async (request, signal, projectId) => {
    await slots.take(projectId ?? null);
    try {
      signal.throwIfAborted();
      const used = takeLiving(idle);
      try {
        if (used) return await decodeIn(used, request, signal);
      } catch (error) {
        // What earlier images left in a process counts as its memory, so only a new one can tell.
        if (!(error instanceof DecoderFailedError && error.kind === "memory")) throw error;
      }
      return await decodeIn(await start(), request, signal);
    } finally {
      slots.give(projectId ?? null);
    }
  };

  return {
    decode,
    async check(signal) {
      const state = (problem: string | null, details: string | null = null): DecoderState => ({
        problem,
        details,
        isMemoryLimited: isMemoryLimited ?? true,
      });
      if (performance.now() - lastAnswerAt < PROOF_LASTS_MS) return state(null);
      try {
        const answer = await decode(selfTests[0]!, signal);
        return answer.ok ? state(null) : state("the decoder cannot make a known good image", answer.reason);
      } catch (error) {
        const details = error instanceof DecoderFailedError ? error.details : null;
        return state((error as Error).message, details);
      }
    },
    pids: () => [...running].flatMap(({ child }) => child.pid ?? []),
    async close() {
      await Promise.all([...running].map(killProcess));
    },
  };
}

const failures = {
  memory: "the image needs more memory than a decoder may have",
  crashed: "the image was decoded, and could not be encoded",
} as const;

/** Lets a number of callers in at the same time, in the order in which they came, but one project not at all places. */
function createSlots(count: number) {
  const places = createPlaces<number>(count);
  const waiting: { projectId: number | null; enter: () => void }[] = [];
  return {
    async take(projectId: number | null): Promise<void> {
      if (places.take(projectId)) return;
      await new Promise<void>((enter) => waiting.push({ projectId, enter }));
    },
    give(projectId: number | null): void {
      places.give(projectId);
      const next = waiting.findIndex((one) => places.take(one.projectId));
      if (next !== -1) waiting.splice(next, 1)[0]!.enter();
    },
  };
}

/** A process that a decoder bug has taken over may send anything. */
const processAnswer = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    bytes: z.instanceof(Uint8Array),
    contentType: z.enum(["image/webp", "image/avif", "image/jpeg"]),
    image: z
      .object({
        width: z.int().min(1),
        height: z.int().min(1),
        placeholder: z.base64().max(64),
      })
      .nullable(),
  }),
  z.object({ ok: z.literal(false), reason: z.string().max(200) }),
  z.object({ ok: z.literal(null), kind: z.enum(["memory", "crashed"]), reason: z.string().max(200) }),
]);

function takeLiving(idle: Process[]): Process | undefined {
  for (;;) {
    const process = idle.pop();
    if (!process || isLiving(process)) return process;
  }
}
