import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { readFile } from "node:fs/promises";
import postgres from "postgres";
import sharp from "sharp";
import { summarise } from "../measure/statistics.js";
import { ratios, takeTurns } from "../measure/take-turns.js";
import { createProject } from "../processes/create-project.js";
import { makeFolder } from "../processes/make-file.js";
import { migrateDatabase } from "../processes/migrate-database.js";
import { serviceSettings } from "../processes/service-settings.js";
import { startChild } from "../processes/start-child.js";
import { startDatabase } from "../processes/start-database.js";
import { startDevStore, storeSettings } from "../processes/start-dev-store.js";
import { startService } from "../processes/start-service.js";
import type { Row, RowTools } from "../row.js";
import type { SharpRun } from "../sides/bare-sharp.js";

const ROUNDS = 7;
const IMAGES = 60;
const LIMIT_MS = 120_000;

/**
 * Variants of a photo that `stowage worker` makes on one core, with PostgreSQL and storage on the other, against a loop around sharp in a
 * process of its own on the same core.
 */
export const variantsRow: Row = {
  name: "variants",
  async run(tools) {
    const path = join(await makeFolder(tools), "photo.jpg");
    await aPhoto().toFile(path);
    const worker = await aWorker(path, tools);
    const loop = await startChild(import.meta.resolve("../sides/bare-sharp.js"), { role: "server" });
    tools.atEnd(() => loop.stop());
    let quality = 50;
    const bare = (placeholders: boolean) => async () => {
      const run: SharpRun = { path, count: IMAGES, quality, placeholders };
      const { seconds } = await loop.ask<{ seconds: number }>(run, LIMIT_MS);
      return IMAGES / seconds;
    };
    const perSecond = await takeTurns(
      { worker: () => worker.perSecond(++quality), same: bare(true), variants: bare(false) },
      { rounds: ROUNDS },
    );
    const median = (name: keyof typeof perSecond) => summarise(perSecond[name]).median.toFixed(1);
    const photo = "320 × 320 WebP of a 3-megapixel JPEG, on one core";
    return [
      {
        measured: `variants per second of \`stowage worker\`: ${photo}`,
        against: "a bare loop around sharp with the same operations",
        ratio: summarise(ratios(perSecond.worker, perSecond.same)),
        target: { atLeast: 0.8 },
        details: `${median("worker")} and ${median("same")} per second`,
      },
      {
        measured: "the same",
        against: "the loop without the placeholder",
        ratio: summarise(ratios(perSecond.worker, perSecond.variants)),
        details: `${median("worker")} and ${median("variants")} per second`,
      },
    ];
  },
};

/** Noise under a gradient compresses like a photo. */
function aPhoto() {
  const [width, height] = [2048, 1536];
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: "#000",
      noise: { type: "gaussian", mean: 128, sigma: 20 },
    },
  })
    .blur(1.5)
    .jpeg({ quality: 85 });
}

/** A worker whose project has stored the photo many times. `perSecond` lets it make one variant of each. */
async function aWorker(photo: string, tools: RowTools) {
  const databaseUrl = await startDatabase(tools);
  await migrateDatabase(databaseUrl);
  const apiKey = await createProject(databaseUrl);
  const settings = storeSettings(await startDevStore(tools, "others"));
  const { port } = (await startService(databaseUrl, tools, settings)).ready;
  const sql = postgres(databaseUrl, { max: 1 });
  tools.atEnd(() => sql.end());
  const post = async <Answer>(path: string, body: object): Promise<Answer> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/storage/${path}/`, {
      method: "POST",
      headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
    return (await answer.json()) as Answer;
  };
  const bytes = await readFile(photo);
  const paths: string[] = [];
  for (let n = 0; n < IMAGES; n++) {
    const body = { tenant_id: "t", filename: "photo.jpg", content_type: "image/jpeg", size: bytes.length };
    const upload = await post<Upload>("upload", body);
    await fetch(upload.presigned_url, { method: "PUT", headers: upload.headers, body: bytes });
    await post("complete", { file_path: upload.file_path });
    paths.push(upload.file_path);
  }
  const [project] = await sql<{ ref: string }[]>`select ref from projects`;
  const cli = fileURLToPath(import.meta.resolve("@stowage/service/cli"));
  const env = { PATH: process.env["PATH"], ...serviceSettings(databaseUrl), ...settings };
  const worker = await startChild(import.meta.resolve("@stowage/service/cli"), {
    role: "server",
    args: ["worker"],
    env: { ...serviceSettings(databaseUrl), ...settings, LOG_LEVEL: "warn" },
  });
  tools.atEnd(() => worker.stop());

  const countReady = async () => {
    const [row] = await sql<{ ready: number }[]>`
      select count(*)::integer as ready from file_variants where status = 'ready'`;
    return row!.ready;
  };
  return {
    /** @param quality another one for each call, so that all variants are new */
    perSecond: async (quality: number) => {
      const preset = [
        "preset",
        "set",
        "bench",
        "--project",
        project!.ref,
        "--width",
        "320",
        "--height",
        "320",
      ];
      const options = ["--fit", "cover", "--format", "webp", "--quality", String(quality)];
      await promisify(execFile)(process.execPath, [cli, ...preset, ...options], { env, timeout: LIMIT_MS });
      const before = await countReady();
      await post("downloads", { file_paths: paths, variant: "bench" });
      // From the first one on: the worker looks for work once a second, and its first decoder has to start.
      const first = await until(countReady, before + 1);
      const last = await until(countReady, before + IMAGES);
      return (last.count - first.count) / (last.seconds - first.seconds);
    },
  };
}

interface Upload {
  presigned_url: string;
  file_path: string;
  headers: Record<string, string>;
}

const POLL_MS = 20;

async function until(
  read: () => Promise<number>,
  wanted: number,
): Promise<{ count: number; seconds: number }> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const count = await read();
    if (count >= wanted) return { count, seconds: performance.now() / 1000 };
    if (performance.now() > deadline) throw new Error(`the worker has made ${count} of ${wanted} variants`);
    await sleep(POLL_MS);
  }
}
