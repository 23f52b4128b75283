import { MAX_PUTS } from "../transport.js";
import type { FileCollection } from "./file-collection.js";
import type { FileEvent, FileState } from "./file-state.js";

const DEFAULT_CONCURRENCY = 6;
/** The PUT of a smaller file is over sooner than its two calls. */
const SMALL_BYTES = 1024 ** 2;

interface SchedulerDeps {
  files: Pick<FileCollection, "get" | "dispatch">;
  concurrency(): number | undefined;
  /** How many calls the network lets pass at the same time. */
  capacity(): number;
  /** Uploads a file and returns how that ended. Never rejects: a failure is an event too. */
  upload(file: FileState, signal: AbortSignal): Promise<FileEvent>;
  /** Called when an upload has ended. */
  onEnd(): void;
}

/**
 * Decides which file is uploaded when. Files start in the order in which they were queued. When every slot has a file that is
 * uploaded by parts, which may take hours, one smaller file at a time overtakes.
 */
export function createScheduler({ files, concurrency, capacity, upload, onEnd }: SchedulerDeps) {
  const waiting = new Set<string>();
  const running = new Map<string, AbortController>();

  const allowed = () => concurrency() || DEFAULT_CONCURRENCY;

  function usedSlots(slots: number): number {
    let used = 0;
    for (const id of running.keys()) {
      const file = files.get(id);
      used += file ? slotsOf(file, slots) : 1;
    }
    return used;
  }

  /** Starts the first waiting file that is smaller than all running files, if these are all uploaded by parts. */
  function startSmallFile(slots: number) {
    const runningFiles = [...running.keys()].flatMap((id) => files.get(id) ?? []);
    if (slots === 0 || !runningFiles.every(({ resume }) => resume.multipart)) return;
    const smallest = Math.min(...runningFiles.map(({ item }) => item.size));
    for (const id of waiting) {
      if ((files.get(id)?.item.size ?? smallest) >= smallest) continue;
      waiting.delete(id);
      return void start(id);
    }
  }

  async function start(id: string) {
    const file = files.get(id);
    if (!file) return;
    const run = new AbortController();
    running.set(id, run);
    const ending = await upload(file, run.signal);
    // After an abort the file may run again, or may be gone. The old run must not change it.
    if (!run.signal.aborted) {
      stop(id);
      files.dispatch(id, ending);
    }
    onEnd();
  }

  /** Aborts the upload of a file, or takes it out of the queue. */
  function stop(id: string) {
    waiting.delete(id);
    running.get(id)?.abort();
    running.delete(id);
  }

  return {
    stop,
    /** Whether this file is uploaded or waits for its turn. */
    has: (id: string) => waiting.has(id) || running.has(id),
    /** Whether any file is uploaded or waits for its turn. Files that wait for `start()` do not count. */
    isRunning: () => waiting.size + running.size > 0,
    /** Lets a file wait for its turn. Only queued files can wait. */
    enqueue(id: string) {
      if (files.get(id)?.item.status === "queued") waiting.add(id);
    },
    /** Starts as many waiting files as there are free slots. */
    startNext() {
      for (const id of waiting) {
        const slots = Math.min(allowed(), capacity());
        if (usedSlots(slots) >= slots) return startSmallFile(slots);
        waiting.delete(id);
        void start(id);
      }
    },
  };
}

/**
 * A file that waits for the backend leaves the connection to other files. A confirming file takes half a slot, and a small file takes a quarter
 * while it waits, so that several share a call. A file whose bytes are sent by one PUT takes none: `put-slots.ts` limits these, and the next
 * tickets are there when a PUT ends. This does not apply if the page or the network wants fewer PUTs than the store allows, because a file with a
 * ticket starts its PUT immediately.
 */
function slotsOf({ item, resume }: FileState, slots: number): number {
  const isConfirming = item.status === "confirming";
  if (slots >= MAX_PUTS) {
    if (item.status === "uploading" && !resume.multipart) return 0;
    const isWaiting = isConfirming || (item.status === "requesting" && item.retry === null);
    if (isWaiting && item.size <= SMALL_BYTES) return 0.25;
  }
  return isConfirming ? 0.5 : 1;
}

export type Scheduler = ReturnType<typeof createScheduler>;
