import { setTimeout as sleep } from "node:timers/promises";
import { quantile, summarise } from "../measure/statistics.js";
import { residentBytesOf } from "../processes/resident-memory.js";
import { startService } from "../processes/start-service.js";
import type { Row } from "../row.js";
import { driveInTurns, uploads, uploadStage } from "./upload-stage.js";

const MOST_PER_SECOND = 5000;
const SECONDS = 60;
const STRETCH_SECONDS = 20;
const AT_REST_MS = 3000;
const MEGABYTE = 1e6;

/** The memory that uploads at a steady rate add to the service in a minute, and whether it still grows at the end. */
export const memoryRow: Row = {
  name: "memory",
  async run(tools) {
    const stage = await uploadStage(tools);
    const service = await startService(stage.databaseUrl, tools);
    await sleep(AT_REST_MS);
    const atStart = await residentBytesOf(service.pid);
    const load = uploads(stage.apiKey, service.ready.port);
    const { peak } = await driveInTurns(
      { peak: { server: service, load } },
      { loader: stage.loader, tools, rounds: 1 },
    );
    // A higher rate would only queue requests, which another row measures.
    const perSecond = Math.min(MOST_PER_SECOND, Math.round(peak[0]!.perSecond / 2));
    const driven = stage.loader.drive(service.pid, { ...load, perSecond, seconds: SECONDS });
    const samples: number[] = [];
    for (let second = 0; second < SECONDS; second++) {
      await sleep(1000);
      samples.push((await residentBytesOf(service.pid)) / MEGABYTE);
    }
    await driven;
    const last = samples.slice(-STRETCH_SECONDS);
    const before = quantile(samples.slice(-2 * STRETCH_SECONDS, -STRETCH_SECONDS), 0.5);
    const started = atStart / MEGABYTE;
    tools.say(`MB by the second: ${samples.map((sample) => sample.toFixed(0)).join(" ")}`);
    const held = `uploads at ${perSecond}/s for a minute${perSecond < MOST_PER_SECOND ? ", half of this machine's peak" : ""}`;
    return [
      {
        measured: `resident memory under ${held}, in MB more`,
        against: "after its start",
        ratio: summarise(last.map((sample) => sample - started)),
        target: { atMost: 150 },
        details: `${quantile(last, 0.5).toFixed(0)} and ${started.toFixed(0)} MB`,
      },
      {
        measured: `the same in the last ${STRETCH_SECONDS} s`,
        against: `the ${STRETCH_SECONDS} s before`,
        ratio: summarise(last.map((sample) => sample / before)),
        target: { atMost: 1.05 },
        details: `${quantile(last, 0.5).toFixed(0)} and ${before.toFixed(0)} MB`,
      },
    ];
  },
};
