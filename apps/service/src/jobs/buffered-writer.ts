import { type Job, repeat } from "./repeat.js";

const INTERVAL_MS = 5000;

/** Writes down every now and then what requests left in memory: when keys were last used, how often projects were refused. */
export function startBufferedWriter(deps: {
  notes: { write(): Promise<void> }[];
  onError: (error: unknown) => void;
}): Job {
  const write = async () => {
    await Promise.all(deps.notes.map((notes) => notes.write()));
    return false;
  };
  return repeat(write, INTERVAL_MS, deps.onError);
}
