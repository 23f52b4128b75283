import { type Job, repeat } from "./repeat.js";

const INTERVAL_MS = 5000;

/** Writes down every now and then what requests left in memory: when keys were last used, how often projects were refused. */
export function startBufferedWriter(deps: {
  buffers: { flush(): Promise<void> }[];
  onError: (error: unknown) => void;
}): Job {
  const flush = async () => {
    await Promise.all(deps.buffers.map((buffer) => buffer.flush()));
    return false;
  };
  return repeat(flush, INTERVAL_MS, deps.onError);
}
