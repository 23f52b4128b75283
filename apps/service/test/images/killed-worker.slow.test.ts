import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { anImageProject } from "../fixtures/an-image-project.js";
import { aWorld, type World } from "../fixtures/a-world.js";
import { aPicture } from "../fixtures/hostile-images.js";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const IMAGES = 12;
const KILLS = 3;

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

/** `stowage worker` as a process of its own. */
async function aWorkerProcess(): Promise<ChildProcess> {
  const env = {
    PATH: process.env["PATH"],
    ...inject("servers"),
    DATABASE_URL: world.databaseUrl,
    LOG_LEVEL: "warn",
  };
  const child = spawn(process.execPath, [CLI, "worker"], {
    env,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(child, "message");
  return child;
}

async function kill(child: ChildProcess, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

const childrenOf = async ({ pid }: ChildProcess) =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).split(" ").filter(Boolean).map(Number);
const isRunning = (pid: number) =>
  readFile(`/proc/${pid}/stat`, "utf8").then(
    (stat) => !stat.includes(") Z "),
    () => false,
  );

test("a worker that is killed in the middle loses no variant, makes none twice, and leaves no decoder behind", async () => {
  const project = await anImageProject(world);
  // AVIF of this size takes long enough to be interrupted, also where this test gets little of the processor.
  await project.preset({ format: "avif", width: 2400, eager: true });
  const photo = await aPicture(2400, 1800).jpeg().toBuffer();
  const files = await Promise.all(Array.from({ length: IMAGES }, () => project.store(photo)));
  const count = async (status: string) =>
    (await project.rows()).filter((row) => row.status === status).length;
  expect(await count("waiting")).toBe(IMAGES);

  for (let kills = 0; kills < KILLS; kills++) {
    const worker = await aWorkerProcess();
    const before = await count("ready");
    await expect.poll(() => count("ready"), { timeout: 30_000, interval: 20 }).toBeGreaterThan(before);
    const decoders = await childrenOf(worker);
    await kill(worker, "SIGKILL");
    expect(decoders.length).toBeGreaterThan(0);
    await expect.poll(async () => (await Promise.all(decoders.map(isRunning))).includes(true)).toBe(false);
    // As after the lease of a minute.
    await world.rows("update file_variants set due_at = now() where project_id = $1 and status = 'waiting'", [
      project.id,
    ]);
  }
  expect(await count("waiting")).toBeGreaterThan(0);

  const worker = await aWorkerProcess();
  await expect.poll(() => count("ready"), { timeout: 60_000 }).toBe(IMAGES);
  await kill(worker, "SIGTERM");
  const rows = await project.rows();
  expect(rows.map(({ path }) => path).toSorted()).toEqual((await project.objects()).toSorted());
  expect(rows.filter(({ failures }) => failures > 0)).toEqual([]);
  for (const file of files) {
    const answer = await project.download(file);
    if (typeof answer === "string") throw new Error(answer);
    expect((await (await fetch(answer.presignedUrl)).arrayBuffer()).byteLength).toBe(answer.size);
  }
}, 300_000);

test("a worker whose decoders are killed again and again makes every variant in the end, and knows a damaged image at once", async () => {
  const project = await anImageProject(world);
  await project.preset({ format: "avif", width: 640, eager: true });
  const photo = await aPicture(1600, 1200).jpeg().toBuffer();
  await Promise.all(Array.from({ length: 3 }, () => project.store(photo)));
  const damaged = await project.store(photo.subarray(0, 200));
  const worker = await aWorkerProcess();
  const killed = new Set<number>();
  const killDecoders = async () => {
    for (const pid of await childrenOf(worker)) {
      if (await isRunning(pid)) process.kill(pid, "SIGKILL");
      killed.add(pid);
    }
    return killed.size;
  };
  await expect.poll(killDecoders, { timeout: 60_000, interval: 100 }).toBeGreaterThan(KILLS);
  const statuses = async () => {
    await world.rows(
      "update file_variants set due_at = now(), retry_at = now() where project_id = $1 and retry_at > now()",
      [project.id],
    );
    return (await project.rows()).map(({ status, failure }) => `${status} ${failure}`).toSorted();
  };
  await expect
    .poll(statuses, { timeout: 120_000 })
    .toEqual(["failed image", "ready null", "ready null", "ready null"]);
  expect(await project.download(damaged)).toBe("variant_impossible");
  await kill(worker, "SIGTERM");
}, 300_000);
