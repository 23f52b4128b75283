import { setTimeout as sleep } from "node:timers/promises";
import type { Change } from "./change.js";
import { postRecords, RefusedForGood } from "./post-records.js";
import { toRecord } from "./record.js";

export interface NotifyOptions {
  /** Where each change is posted to. */
  url: string;
  /** Sent as `Authorization: Bearer`. */
  secret?: string | undefined;
}

export interface Notifier {
  /** Takes a change on its way, and returns at once. */
  notify(change: Change): void;
  /** Lets what is under way end for at most a second, and forgets the rest. */
  stop(): Promise<void>;
}

export interface NotifierDeps {
  region: string;
  now: () => Date;
  /** Hears of events that were given up. */
  onError: (error: unknown) => void;
  /** How many changes may wait; the oldest goes first when there are more. */
  queueLength?: number;
  /** Before the second try, the third, and so on; after the last the events are given up. */
  retryDelaysMs?: readonly number[];
}

const QUEUE_LENGTH = 10_000;
const RETRY_DELAYS_MS = [100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000];
const BATCH = 100;
const STOP_MS = 1000;

/**
 * Tells one receiver of every change, in order, behind the back of the client who made it. Events are a hint: they end with
 * the process, and who needs to know for sure has to look, as with S3's own.
 */
export function createNotifier(options: NotifyOptions, deps: NotifierDeps): Notifier {
  const { queueLength = QUEUE_LENGTH, retryDelaysMs = RETRY_DELAYS_MS } = deps;
  const queue: object[] = [];
  const stopping = new AbortController();
  let sequencer = BigInt(deps.now().getTime()) << 20n;
  let delivering: Promise<void> | undefined;
  let overflown = 0;

  async function deliver(): Promise<void> {
    while (queue.length > 0 && !stopping.signal.aborted) {
      const records = queue.splice(0, BATCH);
      const error = await tryToPost(records);
      if (error && !stopping.signal.aborted) deps.onError(givenUp(records.length, error));
      if (overflown > 0) deps.onError(givenUp(overflown, new Error("too many were waiting")));
      overflown = 0;
    }
    // In the same step as the look at the queue, so that no change can come in between and be left lying.
    delivering = undefined;
  }

  /** The last failure, or nothing when it went through. */
  async function tryToPost(records: object[]): Promise<unknown> {
    for (let tries = 0; ; tries++) {
      try {
        return void (await postRecords(options, records, stopping.signal));
      } catch (error) {
        const delayMs = retryDelaysMs[tries];
        if (error instanceof RefusedForGood || delayMs === undefined || stopping.signal.aborted) return error;
        await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  return {
    notify(change) {
      if (stopping.signal.aborted) return;
      if (queue.length >= queueLength) overflown += queue.splice(0, queue.length - queueLength + 1).length;
      queue.push(toRecord(change, deps.now(), { region: deps.region, sequencer: ++sequencer }));
      delivering ??= deliver();
    },
    async stop() {
      const timer = setTimeout(() => stopping.abort(), STOP_MS);
      await delivering;
      clearTimeout(timer);
      stopping.abort();
      queue.length = 0;
    },
  };
}

function givenUp(count: number, cause: unknown): Error {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Error(`Events given up: ${count}, since ${why}`);
}
