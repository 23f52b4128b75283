import { summarise } from "./statistics.js";

const REQUESTS = 40;

/** @returns the median time of 40 requests, one after the other */
export async function medianMs(request: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < REQUESTS; i++) {
    const startedAt = performance.now();
    await request();
    times.push(performance.now() - startedAt);
  }
  return summarise(times).median;
}
