import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { MINUTE_MS, SECOND_MS } from "#lib/time.js";
import type { DecodeAnswer, DecodeRequest, Started } from "./protocol.js";
import { selfTests } from "./self-test.js";

/** Decodes images in processes of its own. Any number of calls may run at the same time; those that have no process wait for one. */
export interface Decoder {
  /**
   * Decodes one image. `ok: false` is the decoder's own word about the bytes: they are no image, damaged, or have too many pixels. It is
   * the only answer that is final. Anything else says nothing about the image and is thrown.
   *
   * @param signal ends the process
   * @throws {DecoderFailedError}
   * @throws the reason of the signal
   */
  decode(request: DecodeRequest, signal: AbortSignal): Promise<DecodeAnswer>;
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

/**
 * Why there is no answer.
 *
 * - `time`: the process used more CPU time than it may, or did not answer for minutes.
 * - `memory`: it needed more memory than it may, or an encoder got none.
 * - `crashed`: it ended by itself, an encoder failed, or it sent nonsense.
 * - `unavailable`: no process starts, or none decodes even a known good image. No file is to blame.
 */
export type DecoderFailure = "time" | "memory" | "crashed" | "unavailable";

/** There is no answer. The image may be the reason, or the machine, so a later try may succeed. */
export class DecoderFailedError extends Error {
  override readonly name = "DecoderFailedError";
  readonly kind: DecoderFailure;
  /** What the process wrote before it ended, for the log. */
  readonly details: string | null;

  constructor(kind: DecoderFailure, message: string, details: string | null = null) {
    super(message);
    this.kind = kind;
    this.details = details;
  }
}

export interface DecoderOptions {
  /** The most processes that decode at the same time. */
  processes: number;
  /** The program that a process runs. */
  program: string;
  /** CPU time of a process for one image. The time that a busy machine lets it wait does not count. */
  timeLimitMs: number;
  /**
   * A process that does not answer for so long is stuck, however little CPU it uses. It is the only limit of time where the system does not
   * tell a process's CPU time.
   *
   * @default 5 minutes
   */
  stuckLimitMs?: number;
  /** Memory that one process may allocate for its images, besides what it has before the first one. */
  memoryBytes: number;
  /** After so many images a process is replaced, so that leaks and fragments of memory do not add up. */
  maxJobs: number;
}

const STUCK_LIMIT_MS = 5 * MINUTE_MS;
/** A start reads some files and makes three tiny images. It may wait for a busy machine. */
const START_LIMIT_MS = MINUTE_MS;
/** A decoder that has just answered needs no other proof. */
const PROOF_LASTS_MS = 30 * SECOND_MS;

interface Process {
  child: ChildProcess;
  /** Rejects when the process ends. */
  ended: Promise<never>;
  jobs: number;
}

export function createDecoder(options: DecoderOptions): Decoder {
  const idle: Process[] = [];
  const running = new Set<Process>();
  const slots = createSlots(options.processes);
  let lastAnswerAt = -Infinity;
  let limit: Promise<MemoryLimit> | null = null;
  let isMemoryLimited: boolean | null = null;

  /** @param dataBytes the value of RLIMIT_DATA */
  const launch = async (dataBytes: number | null): Promise<{ process: Process; started: Started }> => {
    const child = spawnLimited(options, dataBytes, dataBytes !== null && isMemoryLimited === null);
    const ended = describeEnd(child).finally(() => running.delete(process));
    // Without this, the end of an idle process would be an unhandled rejection.
    ended.catch(() => undefined);
    const process: Process = { child, ended, jobs: 0 };
    running.add(process);
    const watch = watchTime(process, { timeLimitMs: START_LIMIT_MS, stuckLimitMs: START_LIMIT_MS });
    try {
      const [sent] = await Promise.race([once(child, "message"), ended, watch.over]);
      const started = startedMessage.safeParse(sent);
      if (!started.success) throw new DecoderFailedError("unavailable", "the decoder did not start");
      const { problem } = started.data;
      if (problem !== null)
        throw new DecoderFailedError("unavailable", "the decoder cannot make a known good image", problem);
      return { process, started: started.data };
    } catch (error) {
      await kill(process);
      throw unavailable(error);
    } finally {
      watch.stop();
    }
  };

  /** A process without a limit, which gets no image, tells what Node itself needs. That differs by hundreds of megabytes between versions. */
  const measureLimit = async (): Promise<MemoryLimit> => {
    const { process, started } = await launch(null);
    await kill(process);
    return started.dataBytes === null ? null : started.dataBytes + options.memoryBytes;
  };

  const start = async (): Promise<Process> => {
    limit ??= measureLimit();
    const dataBytes = await limit.catch((error: unknown) => {
      limit = null;
      throw error;
    });
    const { process, started } = await launch(dataBytes);
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
    const watch = watchTime(process, options);
    try {
      if (signal.aborted) abort();
      const answer = once(process.child, "message");
      process.child.send(request, () => undefined);
      const [message] = await Promise.race([answer, process.ended, watch.over]);
      const parsed = processAnswer.safeParse(message);
      if (!parsed.success) throw new DecoderFailedError("crashed", "the decoder sent no answer");
      if (parsed.data.ok === null)
        throw new DecoderFailedError(parsed.data.kind, failures[parsed.data.kind], parsed.data.reason);
      process.jobs++;
      if (process.jobs < options.maxJobs) idle.push(process);
      else await kill(process);
      lastAnswerAt = performance.now();
      return parsed.data;
    } catch (error) {
      await kill(process);
      signal.throwIfAborted();
      throw error;
    } finally {
      watch.stop();
      signal.removeEventListener("abort", abort);
    }
  };

  const decode: Decoder["decode"] = async (request, signal) => {
    await slots.take();
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
      slots.give();
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
      await Promise.all([...running].map(kill));
    },
  };
}

/** The value of RLIMIT_DATA in bytes. Null: this system has no such limit. */
type MemoryLimit = number | null;

const failures = {
  memory: "the image needs more memory than a decoder may have",
  crashed: "the image was decoded, and could not be encoded",
} as const;

/** A process that did not start has seen no image, so no image is to blame for it. */
function unavailable(error: unknown): DecoderFailedError {
  if (error instanceof DecoderFailedError && error.kind === "unavailable") return error;
  const details = error instanceof DecoderFailedError ? error.details : null;
  return new DecoderFailedError("unavailable", `no decoder starts: ${(error as Error).message}`, details);
}

/** Lets a number of callers in at the same time, in the order in which they came. */
function createSlots(count: number) {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    async take(): Promise<void> {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    give(): void {
      const next = waiting.shift();
      if (next) next();
      else free++;
    },
  };
}

const startedMessage = z.object({
  problem: z.string().nullable(),
  dataBytes: z.int().positive().nullable(),
  isMemoryLimited: z.boolean().nullable(),
});

/** A process that a decoder bug has taken over may send anything. */
const processAnswer = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    bytes: z.instanceof(Uint8Array),
    contentType: z.enum(["image/webp", "image/avif", "image/jpeg"]),
    image: z.object({
      width: z.int().min(1),
      height: z.int().min(1),
      placeholder: z.base64().max(64),
    }),
  }),
  z.object({ ok: z.literal(false), reason: z.string().max(200) }),
  z.object({ ok: z.literal(null), kind: z.enum(["memory", "crashed"]), reason: z.string().max(200) }),
]);

/**
 * The limit is RLIMIT_DATA, which counts what a process allocates. RLIMIT_AS would also count the address space that V8 only reserves,
 * which is many gigabytes. The shell of the system sets it, because Node cannot; `exec` keeps the process's id.
 */
function spawnLimited(
  { program }: DecoderOptions,
  dataBytes: MemoryLimit,
  provesLimit: boolean,
): ChildProcess {
  const node = [process.execPath, program, ...(provesLimit ? [String(dataBytes)] : [])];
  const kilobytes = String(Math.ceil((dataBytes ?? 0) / 1024));
  const limited = ["/bin/sh", "-c", 'ulimit -d "$1" && shift && exec "$@"', "sh", kilobytes, ...node];
  const [command = "", ...args] = dataBytes === null ? node : limited;
  return spawn(command, args, {
    // No setting: a decoder bug must find no key.
    env: { NODE_ENV: "production", VIPS_WARNING: "0", MALLOC_ARENA_MAX: "2" },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    detached: true,
  });
}

/** What a process wrote last. It may write without end. */
const MAX_WORDS = 2000;
/** For what a process has written before its end. Another process may still hold its end of the pipe. */
const LAST_WORDS_MS = 100;

/** Rejects when the process has ended, also if the system could not start it. */
async function describeEnd(child: ChildProcess): Promise<never> {
  let words = "";
  child.stderr?.setEncoding("latin1").on("data", (text: string) => {
    words = (words + text).slice(0, MAX_WORDS);
  });
  const closed = once(child, "close").catch(() => undefined);
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  await Promise.race([closed, sleep(LAST_WORDS_MS, undefined, { ref: false })]);
  child.stderr?.destroy();
  const isMemory = /out of memory|alloc|resource temporarily unavailable/i.test(words);
  const how = String(signal ?? code);
  throw isMemory
    ? new DecoderFailedError("memory", `the decoder needed more memory than it may have (${how})`, words)
    : new DecoderFailedError("crashed", `the decoder ended (${how})`, words || null);
}

function takeLiving(idle: Process[]): Process | undefined {
  for (;;) {
    const process = idle.pop();
    if (
      !process ||
      (process.child.exitCode === null && process.child.signalCode === null && process.child.connected)
    )
      return process;
  }
}

/** How often the CPU time of a process is read. */
const LOOK_INTERVAL_MS = 500;

/** Watches the time that a process takes for one image. `over` rejects when that is too long. */
function watchTime(
  { child }: Process,
  { timeLimitMs, stuckLimitMs = STUCK_LIMIT_MS }: Pick<DecoderOptions, "timeLimitMs" | "stuckLimitMs">,
): { over: Promise<never>; stop: () => void } {
  const startedAt = performance.now();
  const before = readCpuMs(child.pid) ?? 0;
  let reject: (error: DecoderFailedError) => void = () => undefined;
  const over = new Promise<never>((_, rejectOver) => {
    reject = rejectOver;
  });
  // If the process has answered, nothing waits for it.
  over.catch(() => undefined);
  const timer = setInterval(
    () => {
      const usedMs = (readCpuMs(child.pid) ?? 0) - before;
      if (usedMs >= timeLimitMs)
        reject(new DecoderFailedError("time", `the decoder took more than ${timeLimitMs} ms of CPU time`));
      else if (performance.now() - startedAt >= stuckLimitMs)
        reject(new DecoderFailedError("time", `the decoder did not answer within ${stuckLimitMs} ms`));
    },
    Math.min(LOOK_INTERVAL_MS, timeLimitMs, stuckLimitMs),
  );
  return { over, stop: () => clearInterval(timer) };
}

/** Linux counts CPU time in hundredths of a second, on every machine that Node runs on. */
const TICK_MS = 10;

/** The CPU time of a process so far; null if the system does not tell. */
function readCpuMs(pid: number | undefined): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name, in parentheses, may have spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isNaN(ticks) ? null : ticks * TICK_MS;
  } catch {
    return null;
  }
}

async function kill({ child, ended }: Process): Promise<void> {
  child.kill("SIGKILL");
  await ended.catch(() => undefined);
}
