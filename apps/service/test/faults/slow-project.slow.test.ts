import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { updateProject } from "#projects/update-project.js";
import { aDecoder, anImageProject } from "../fixtures/an-image-project.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";
import { aPicture } from "../fixtures/hostile-images.js";
import { startWorker } from "../fixtures/worker-jobs.js";

/** Two batches, each with four files. */
const AT_ONCE = 8;

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

test("a project whose scans take long has two of a worker's places, and delays no scan of another project", async () => {
  const aProject = async () => {
    const project = await world.project();
    await updateProject(world.deps, project.ref, { scan: "clamav" });
    return project;
  };
  const store = async (project: Awaited<ReturnType<typeof aProject>>, bytes: string) => {
    const upload = await world.upload(project, {});
    expect(await put(upload, bytes)).toBe(200);
    await world.complete(project, upload.filePath);
    return upload.filePath;
  };
  const [slow, other] = [await aProject(), await aProject()];
  // More than a batch.
  const files = 40;
  for (let n = 0; n < files; n++) await store(slow, "slow");

  let scanning = 0;
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const scan = async (bytes: Buffer) => {
    if (bytes.toString() !== "slow") return;
    scanning++;
    await ended;
    scanning--;
  };
  const errors: unknown[] = [];
  const decoder = aDecoder("sleeps", { processes: 1 });
  const worker = startWorker(world, { scan, decoder, onError: (error) => errors.push(error) });
  const clean = async (project: { id: number }) =>
    (await world.rows("select from files where project_id = $1 and scan_status = 'clean'", [project.id]))
      .length;
  try {
    await expect.poll(() => scanning, { timeout: 10_000 }).toBe(AT_ONCE);
    for (let scanned = 1; scanned <= 3; scanned++) {
      await store(other, "fast");
      // A place asks once a second for work.
      await expect.poll(() => clean(other)).toBe(scanned);
      expect(scanning).toBe(AT_ONCE);
    }
    expect(await clean(slow)).toBe(0);
    end();
    await expect.poll(() => clean(slow)).toBe(files);
    expect(errors).toEqual([]);
  } finally {
    end();
    await worker.stop();
    await decoder.close();
  }
});

test("a project whose images take long leaves a decoder of a worker to the others", async () => {
  const [slow, other] = [await anImageProject(world), await anImageProject(world)];
  for (const project of [slow, other]) await project.preset({ eager: true });
  const noise = { raw: { width: 100, height: 100, channels: 3 } } as const;
  const large = await sharp(randomBytes(30_000), noise).png().toBuffer();
  for (let n = 0; n < 4; n++) await slow.store(large);

  const errors: unknown[] = [];
  const decoder = aDecoder("waits-on-large", { processes: 2 });
  const worker = startWorker(world, { decoder, onError: (error) => errors.push(error) });
  const claimed = async () =>
    (
      await world.rows(
        "select from file_variants where project_id = $1 and status = 'waiting' and due_at > $2",
        [slow.id, world.deps.clock().toISOString()],
      )
    ).length;
  try {
    // One is decoded, and the bytes of the next one are there.
    await expect.poll(claimed).toBe(2);
    await other.store(await aPicture(60, 40).png().toBuffer());
    const states = async () => (await other.rows()).map(({ status, reason }) => [status, reason]);
    await expect.poll(states).toEqual([["failed", "a small image"]]);
    expect(await claimed()).toBe(2);
    expect(errors).toEqual([]);
  } finally {
    await worker.stop();
    await decoder.close();
  }
});
