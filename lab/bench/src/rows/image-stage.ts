import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import postgres from "postgres";
import sharp from "sharp";
import { createProject } from "../processes/create-project.js";
import { migrateDatabase } from "../processes/migrate-database.js";
import type { Role } from "../processes/pinning.js";
import { serviceSettings } from "../processes/service-settings.js";
import { startChild } from "../processes/start-child.js";
import { startDatabase } from "../processes/start-database.js";
import { startDevStore, type Store, storeSettings } from "../processes/start-dev-store.js";
import { startService } from "../processes/start-service.js";
import type { RowTools } from "../row.js";

/** A project that stores images, with service, database, storage and worker. */
export interface ImageStage {
  apiKey: string;
  databaseUrl: string;
  store: Store;
  /** Calls the REST API. @throws {Error} if it refuses */
  post<Answer>(path: string, body: object): Promise<Answer>;
  /** Stores an image under this many paths. @returns the paths */
  storeImages(file: string, count: number, tenantId: string): Promise<string[]>;
  /** Creates or changes a preset by the command line. */
  setPreset(name: string, ...options: string[]): Promise<void>;
  /** @param env more settings @returns its process id */
  startWorker(role: Role, env?: Record<string, string>): Promise<number>;
  /** Waits until so many variants are ready. @returns how many are, and since when, in seconds */
  untilReady(count: number): Promise<{ count: number; seconds: number }>;
  countReady(): Promise<number>;
  /** Forgets what is known about the images, so that the next variant of each finds it out again. */
  forgetImages(): Promise<void>;
}

const LIMIT_MS = 120_000;
const POLL_MS = 20;

/** @param storeRole where storage runs */
export async function imageStage(tools: RowTools, storeRole: Role): Promise<ImageStage> {
  const databaseUrl = await startDatabase(tools);
  await migrateDatabase(databaseUrl);
  const apiKey = await createProject(databaseUrl);
  const store = await startDevStore(tools, storeRole);
  const settings = { ...serviceSettings(databaseUrl), ...storeSettings(store) };
  const { port } = (await startService(databaseUrl, tools, settings)).ready;
  const serviceUrl = `http://127.0.0.1:${port}`;
  const sql = postgres(databaseUrl, { max: 1 });
  tools.atEnd(() => sql.end());
  const [project] = await sql<{ ref: string }[]>`select ref from projects`;

  async function post<Answer>(path: string, body: object): Promise<Answer> {
    const answer = await fetch(`${serviceUrl}/api/storage/${path}/`, {
      method: "POST",
      headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
    return (await answer.json()) as Answer;
  }
  async function countReady(): Promise<number> {
    const [row] = await sql<{ ready: number }[]>`
      select count(*)::integer as ready from file_variants where status = 'ready'`;
    return row!.ready;
  }

  return {
    apiKey,
    databaseUrl,
    store,
    post,
    countReady,
    async forgetImages() {
      await sql`update files set image = null`;
    },
    async storeImages(file, count, tenantId) {
      const bytes = await readFile(file);
      const paths: string[] = [];
      for (let n = 0; n < count; n++) {
        const body = { filename: `photo-${n}.jpg`, content_type: "image/jpeg", size: bytes.length };
        const upload = await post<Upload>("upload", { tenant_id: tenantId, ...body });
        const signal = AbortSignal.timeout(LIMIT_MS);
        const put = { method: "PUT", headers: upload.headers, body: bytes, signal };
        const answer = await fetch(upload.presigned_url, put);
        if (!answer.ok) throw new Error(`storage refused a photo with ${answer.status}`);
        await post("complete", { file_path: upload.file_path });
        paths.push(upload.file_path);
      }
      return paths;
    },
    async setPreset(name, ...options) {
      const cli = fileURLToPath(import.meta.resolve("@stowage/service/cli"));
      await promisify(execFile)(
        process.execPath,
        [cli, "preset", "set", name, "--project", project!.ref, ...options],
        { env: { PATH: process.env["PATH"], ...settings }, timeout: LIMIT_MS },
      );
    },
    async startWorker(role, env = {}) {
      const worker = await startChild(import.meta.resolve("@stowage/service/cli"), {
        role,
        args: ["worker"],
        env: { ...settings, LOG_LEVEL: "warn", ...env },
      });
      tools.atEnd(() => worker.stop());
      return worker.pid;
    },
    async untilReady(wanted) {
      const deadline = performance.now() + LIMIT_MS;
      for (;;) {
        const count = await countReady();
        if (count >= wanted) return { count, seconds: performance.now() / 1000 };
        if (performance.now() > deadline)
          throw new Error(`the worker has made ${count} of ${wanted} variants`);
        await sleep(POLL_MS);
      }
    },
  };
}

interface Upload {
  presigned_url: string;
  file_path: string;
  headers: Record<string, string>;
}

/** Writes a JPEG of 3 megapixels. Noise of a coarse and of a fine grain, so that small variants have details too, as those of photos. */
export async function makePhoto(path: string): Promise<void> {
  const size = { width: 2048, height: 1536 };
  const grain = (width: number, height: number, sigma: number) =>
    sharp({
      create: {
        width,
        height,
        channels: 3,
        background: "#000",
        noise: { type: "gaussian", mean: 128, sigma },
      },
    });
  const coarse = await grain(256, 192, 50).png().toBuffer();
  const fine = await grain(size.width, size.height, 20).blur(1.5).png().toBuffer();
  await sharp(coarse)
    .resize(size)
    .composite([{ input: fine, blend: "soft-light" }])
    .jpeg({ quality: 85 })
    .toFile(path);
}
