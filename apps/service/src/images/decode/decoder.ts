import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import * as z from "zod";
import type { DecodeAnswer, DecodeRequest } from "./protocol.js";

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
  /** The ids of the running processes. */
  pids(): number[];
  close(): Promise<void>;
}

/**
 * Why there is no answer.
 *
 * - `time`: the process used more time than it may.
 * - `memory`: it needed more memory than it may, or an encoder got none.
 * - `crashed`: it ended by itself, an encoder failed, or it sent nonsense.
 * - `unavailable`: no process starts, or none decodes even a known good image. No file is to blame.
 */
export type DecoderFailure = "time" | "memory" | "crashed" | "unavailable";

/** There is no answer. The image may be the reason, or the machine, so a later try may succeed. */
export class DecoderFailedError extends Error {
  override readonly name = "DecoderFailedError";
  readonly kind: DecoderFailure;

  constructor(kind: DecoderFailure, message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface DecoderOptions {
  /** The most processes that decode at the same time. */
  processes: number;
  /** The program that a process runs. */
  program: string;
  /** A process that needs longer for one image is killed. */
  timeLimitMs: number;
  /** Memory that one process may allocate. */
  memoryBytes: number;
  /** After so many images a process is replaced, so that leaks and fragments of memory do not add up. */
  maxJobs: number;
}

const START_LIMIT_MS = 30_000;

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

  const start = async (): Promise<Process> => {
    const child = spawnLimited(options);
    const ended = once(child, "close")
      .then(([code, signal]) => {
        throw new DecoderFailedError("crashed", `the decoder ended (${String(signal ?? code)})`);
      })
      // Also if the system could not start the process.
      .finally(() => running.delete(process));
    // Without this, the end of an idle process would be an unhandled rejection.
    ended.catch(() => undefined);
    const process: Process = { child, ended, jobs: 0 };
    running.add(process);
    try {
      const message = await within(START_LIMIT_MS, process, once(child, "message"));
      if (message[0] !== "ready") throw new DecoderFailedError("unavailable", "the decoder did not start");
      return process;
    } catch (error) {
      await kill(process);
      throw new DecoderFailedError("unavailable", (error as Error).message);
    }
  };

  const decodeNow: Decoder["decode"] = async (request, signal) => {
    const process = takeLiving(idle) ?? (await start());
    const abort = () => void process.child.kill("SIGKILL");
    signal.addEventListener("abort", abort, { once: true });
    try {
      if (signal.aborted) abort();
      const answer = once(process.child, "message");
      process.child.send(request, () => undefined);
      const [message] = await within(options.timeLimitMs, process, answer);
      const parsed = decodeAnswer.safeParse(message);
      if (!parsed.success) throw new DecoderFailedError("crashed", "the decoder sent no answer");
      process.jobs++;
      if (process.jobs < options.maxJobs) idle.push(process);
      else await kill(process);
      return parsed.data;
    } catch (error) {
      await kill(process);
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  };

  return {
    async decode(request, signal) {
      await slots.take();
      try {
        signal.throwIfAborted();
        return await decodeNow(request, signal);
      } finally {
        slots.give();
      }
    },
    pids: () => [...running].flatMap(({ child }) => child.pid ?? []),
    async close() {
      await Promise.all([...running].map(kill));
    },
  };
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

/** A process that a decoder bug has taken over may send anything. */
const decodeAnswer = z.discriminatedUnion("ok", [
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
]);

/**
 * The limit is RLIMIT_DATA, which counts what a process allocates. RLIMIT_AS would also count the address space that V8 only reserves,
 * which is many gigabytes. The shell of the system sets it, because Node cannot; `exec` keeps the process's id.
 */
function spawnLimited({ program, memoryBytes }: DecoderOptions): ChildProcess {
  const kilobytes = String(Math.floor(memoryBytes / 1024));
  const hasLimits = process.platform === "linux";
  const [command, args] = hasLimits
    ? ["/bin/sh", ["-c", 'ulimit -d "$1" && exec "$2" "$3"', "sh", kilobytes, process.execPath, program]]
    : [process.execPath, [program]];
  return spawn(command, args, {
    // No setting: a decoder bug must find no key.
    env: { NODE_ENV: "production", VIPS_WARNING: "0", MALLOC_ARENA_MAX: "2" },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    detached: true,
  });
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

async function within<T>(limitMs: number, { ended }: Process, result: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new DecoderFailedError("time", `the decoder did not answer within ${limitMs} ms`)),
      limitMs,
    );
  });
  try {
    return await Promise.race([result, ended, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

async function kill({ child, ended }: Process): Promise<void> {
  child.kill("SIGKILL");
  await ended.catch(() => undefined);
}
