import { setTimeout as sleep } from "node:timers/promises";
import type { Change } from "./change.js";
import { postRecords, PermanentRefusal } from "./post-records.js";
import { toRecord } from "./record.js";

/** Where the store sends notifications about its objects. */
export interface NotifyOptions {
  /** The URL that receives each change by POST. */
  url: string;
  /** Sent as `Authorization: Bearer`. */
  secret?: string | undefined;
}

export interface Notifier {
  /** Queues a change and returns immediately. */
  notify(change: Change): void;
  /** Waits at most one second for the running delivery and drops the rest. */
  stop(): Promise<void>;
}

export interface NotifierDeps {
  region: string;
  now: () => Date;
  /** Called when events are dropped. */
  onError: (error: unknown) => void;
  /** The queue's capacity. When it is full, the oldest change is dropped. @default 10000 */
  queueLength?: number;
  /** The delay before each retry. After the last one the events are dropped. */
  retryDelaysMs?: readonly number[];
}

const QUEUE_LENGTH = 10_000;
const RETRY_DELAYS_MS = [100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000];
const BATCH = 100;
const STOP_MS = 1000;

/**
 * Delivers every change to one receiver, in order and without delaying the client's request. Events are hints: undelivered
 * ones are lost when the process ends, so a receiver must also check the bucket, as with S3's own notifications.
 */
export function createNotifier(options: NotifyOptions, deps: NotifierDeps): Notifier {
  const { queueLength = QUEUE_LENGTH, retryDelaysMs = RETRY_DELAYS_MS } = deps;
  const queue: object[] = [];
  const stopping = new AbortController();
  let sequencer = BigInt(deps.now().getTime()) << 20n;
  let delivering: Promise<void> | undefined;
  let droppedCount = 0;

  async function deliver(): Promise<void> {
    while (queue.length > 0 && !stopping.signal.aborted) {
      const records = queue.splice(0, BATCH);
      const error = await postWithRetries(records);
      if (error && !stopping.signal.aborted) deps.onError(eventsDropped(records.length, error));
      if (droppedCount > 0) deps.onError(eventsDropped(droppedCount, new Error("the queue was full")));
      droppedCount = 0;
    }
    // No await between the check of the queue and this line, so no change can be queued unseen.
    delivering = undefined;
  }

  /** Returns the last error, or undefined on success. */
  async function postWithRetries(records: object[]): Promise<unknown> {
    for (let attempt = 0; ; attempt++) {
      try {
        return void (await postRecords(options, records, stopping.signal));
      } catch (error) {
        const delayMs = retryDelaysMs[attempt];
        if (error instanceof PermanentRefusal || delayMs === undefined || stopping.signal.aborted)
          return error;
        await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  return {
    notify(change) {
      if (stopping.signal.aborted) return;
      if (queue.length >= queueLength) droppedCount += queue.splice(0, queue.length - queueLength + 1).length;
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

function eventsDropped(count: number, cause: unknown): Error {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Error(`Events dropped: ${count}, because ${why}`);
}
