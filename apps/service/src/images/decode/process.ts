import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { MINUTE_MS } from "#lib/time.js";
import type { DecodeRequest, Started } from "./protocol.js";

/* One process that decodes, and its limits. docs/decisions/0051 has the reasons. */

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

export interface TimeLimits {
  /** CPU time of a process for one image. The time that a busy machine lets it wait does not count. */
  timeLimitMs: number;
  /**
   * A process that does not answer for so long is stuck, however little CPU it uses. It is the only limit of time where the system does not
   * tell a process's CPU time.
   *
   * @default 5 minutes
   */
  stuckLimitMs?: number;
}

const STUCK_LIMIT_MS = 5 * MINUTE_MS;
/** A start reads some files and makes three tiny images. It may wait for a busy machine. */
const START_LIMIT_MS = MINUTE_MS;

/** The value of RLIMIT_DATA in bytes. Null: this system has no such limit. */
export type MemoryLimit = number | null;

export interface Process {
  child: ChildProcess;
  /** Rejects when the process ends. */
  ended: Promise<never>;
  jobs: number;
}

export interface StartOptions {
  /** The program that the process runs. */
  program: string;
  dataBytes: MemoryLimit;
  /** Whether the process tells that the system keeps it from that memory. */
  provesLimit: boolean;
  /** Has the process until it has ended. */
  running: Set<Process>;
}

/** Starts a process, which then makes a known good image in each format. @throws {DecoderFailedError} `unavailable` */
export async function startProcess(options: StartOptions): Promise<{ process: Process; started: Started }> {
  const { running } = options;
  const child = spawnLimited(options);
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
    await killProcess(process);
    throw unavailable(error);
  } finally {
    watch.stop();
  }
}

/** Sends an image to an idle process. @returns what it sent back, which may be anything. @throws {DecoderFailedError} not `unavailable` */
export async function askProcess(
  process: Process,
  request: DecodeRequest,
  limits: TimeLimits,
): Promise<unknown> {
  const watch = watchTime(process, limits);
  try {
    const answer = once(process.child, "message");
    process.child.send(request, () => undefined);
    const [message] = await Promise.race([answer, process.ended, watch.over]);
    return message;
  } finally {
    watch.stop();
  }
}

/** Whether an idle process can take an image. */
export const isLiving = ({ child }: Process) =>
  child.exitCode === null && child.signalCode === null && child.connected;

export async function killProcess({ child, ended }: Process): Promise<void> {
  child.kill("SIGKILL");
  await ended.catch(() => undefined);
}

/** A process that did not start has seen no image, so no image is to blame for it. */
function unavailable(error: unknown): DecoderFailedError {
  if (error instanceof DecoderFailedError && error.kind === "unavailable") return error;
  const details = error instanceof DecoderFailedError ? error.details : null;
  return new DecoderFailedError("unavailable", `no decoder starts: ${(error as Error).message}`, details);
}

const startedMessage = z.object({
  problem: z.string().nullable(),
  dataBytes: z.int().positive().nullable(),
  isMemoryLimited: z.boolean().nullable(),
});

/**
 * The limit is RLIMIT_DATA, which counts what a process allocates. RLIMIT_AS would also count the address space that V8 only reserves,
 * which is many gigabytes. The shell of the system sets it, because Node cannot; `exec` keeps the process's id.
 */
function spawnLimited({ program, dataBytes, provesLimit }: StartOptions): ChildProcess {
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

/** How often the CPU time of a process is read. */
const LOOK_INTERVAL_MS = 500;

/** Watches the time that a process takes for one image. `over` rejects when that is too long. */
function watchTime(
  { child }: Process,
  { timeLimitMs, stuckLimitMs = STUCK_LIMIT_MS }: TimeLimits,
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
