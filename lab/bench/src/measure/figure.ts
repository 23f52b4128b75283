import type { Driven } from "../load/start-load.js";
import { summarise } from "./statistics.js";

/** Describes one side: requests per second and CPU per request. */
export function describeDriven(name: string, runs: Driven[]): string {
  const middle = (value: (run: Driven) => number) => summarise(runs.map(value)).median;
  const cpu = runs.every(({ cpuMicros }) => cpuMicros !== null)
    ? `, ${middle(({ cpuMicros }) => cpuMicros!).toFixed(0)} µs of the server's CPU each`
    : "";
  return `${name}: ${middle(({ perSecond }) => perSecond).toFixed(0)} requests/s${cpu}`;
}
