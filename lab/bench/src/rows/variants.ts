import { join } from "node:path";
import { summarise } from "../measure/statistics.js";
import { ratios, takeTurns } from "../measure/take-turns.js";
import { cpuSecondsOfFamily } from "../processes/cpu-time.js";
import { makeFolder } from "../processes/make-file.js";
import { startChild } from "../processes/start-child.js";
import type { Row, RowTools } from "../row.js";
import type { SharpRun } from "../sides/bare-sharp.js";
import { imageStage, makePhoto } from "./image-stage.js";

const ROUNDS = 7;
const IMAGES = 60;
const LIMIT_MS = 120_000;
const SIDE = "320";

/**
 * Variants of a photo that `stowage worker` makes on one core, with PostgreSQL and storage on the other, against a loop around sharp in a
 * process of its own on the same core.
 */
export const variantsRow: Row = {
  name: "variants",
  async run(tools) {
    const path = join(await makeFolder(tools), "photo.jpg");
    await makePhoto(path);
    const worker = await aWorker(path, tools);
    const loop = await startChild(import.meta.resolve("#sides/bare-sharp.js"), { role: "server" });
    tools.atEnd(() => loop.stop());
    let quality = 50;
    const bare = (placeholders: boolean) => async () => {
      const run: SharpRun = { path, count: IMAGES, quality, placeholders };
      const { seconds } = await loop.ask<{ seconds: number }>(run, LIMIT_MS);
      return IMAGES / seconds;
    };
    const cpuMs: Record<string, number[]> = { worker: [], same: [], variants: [] };
    const side = (name: string, pid: number, run: () => Promise<number>) => async () => {
      const before = await cpuSecondsOfFamily(pid);
      const perSecond = await run();
      const after = await cpuSecondsOfFamily(pid);
      const ms = before === null || after === null ? NaN : ((after - before) * 1000) / IMAGES;
      cpuMs[name]!.push(ms);
      tools.say(`${name}: ${perSecond.toFixed(1)} per second, ${ms.toFixed(1)} ms of CPU each`);
      return perSecond;
    };
    const perSecond = await takeTurns(
      {
        worker: side("worker", worker.pid, () => worker.perSecond(++quality)),
        same: side("same", loop.pid, bare(true)),
        variants: side("variants", loop.pid, bare(false)),
      },
      { rounds: ROUNDS, warmUps: WARM_UPS },
    );
    for (const values of Object.values(cpuMs)) values.splice(0, WARM_UPS);
    const details = (name: "same" | "variants") => {
      const rates = [perSecond.worker, perSecond[name]].map((values) => summarise(values).median.toFixed(1));
      const cpu = [cpuMs["worker"]!, cpuMs[name]!].map((values) => summarise(values).median.toFixed(1));
      return `${rates.join(" and ")} per second; ${cpu.join(" and ")} ms of CPU each`;
    };
    const photo = "320 × 320 WebP of a 3-megapixel JPEG, on one core";
    return [
      {
        measured: `variants per second of \`stowage worker\`: ${photo}`,
        against: "a bare loop around sharp with the same operations",
        ratio: summarise(ratios(perSecond.worker, perSecond.same)),
        target: { atLeast: 0.8 },
        details: details("same"),
      },
      {
        measured: "the same per second of CPU, of the worker and its decoder",
        against: "the same loop",
        ratio: summarise(ratios(cpuMs["same"]!, cpuMs["worker"]!)),
        target: { atLeast: 0.8 },
        details: details("same"),
      },
      {
        measured: `variants per second of \`stowage worker\`: ${photo}`,
        against: "the loop without the placeholder",
        ratio: summarise(ratios(perSecond.worker, perSecond.variants)),
        details: details("variants"),
      },
    ];
  },
};

const WARM_UPS = 1;

/**
 * A worker whose project has stored the photo many times.
 *
 * @returns `perSecond` lets it make one variant of each photo, with another quality for each call, so that all variants are new
 */
async function aWorker(photo: string, tools: RowTools) {
  const stage = await imageStage(tools, "others");
  const file_paths = await stage.storeImages(photo, IMAGES, "bench");
  const pid = await stage.startWorker("server");
  async function perSecond(quality: number): Promise<number> {
    const format = ["--fit", "cover", "--format", "webp", "--quality", String(quality)];
    await stage.setPreset("bench", "--width", SIDE, "--height", SIDE, ...format);
    await stage.forgetImages();
    const before = await stage.countReady();
    await stage.post("downloads", { file_paths, variant: "bench" });
    // From the first one on: the worker looks for work once a second, and its first decoder has to start.
    const first = await stage.untilReady(before + 1);
    const last = await stage.untilReady(before + IMAGES);
    return (last.count - first.count) / (last.seconds - first.seconds);
  }
  return { pid, perSecond };
}
