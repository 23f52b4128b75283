import { StowageError, type Visibility } from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { CreatedDownload } from "#deliver/create-download.js";
import { moveFiles } from "#visibility/move-file.js";
import { setVisibility } from "#visibility/set-visibility.js";
import { reconcile } from "#reconcile/reconcile.js";
import { recordVerdict } from "#scans/record-verdict.js";
import { anImageProject, anImageWorker, removeAll } from "../fixtures/an-image-project.js";
import { aWorld, type World } from "../fixtures/a-world.js";
import { putObject } from "../fixtures/put-object.js";
import { aPicture } from "../fixtures/hostile-images.js";

const MINUTE = 60_000;

const purged: string[] = [];
let world: World;
let worker: ReturnType<typeof anImageWorker>;
let picture: Buffer;
beforeAll(async () => {
  world = await aWorld(null, inject("publicBucket")!, {
    purge: async (url) => void purged.push(url),
    close: () => undefined,
  });
  worker = anImageWorker(world);
  picture = await aPicture(60, 40).png().toBuffer();
});
afterAll(async () => {
  await worker.close();
  await world.close();
});

type Project = Awaited<ReturnType<typeof anImageProject>>;

const show = (
  project: Project,
  { filePath }: { filePath: string },
  visibility: Visibility,
  deps = world.deps,
) => setVisibility({ ...deps, settling: deps }, project, { filePath, tenantId: undefined, visibility });
const moveAll = async (deps = world.deps) => {
  while (await moveFiles(deps, { afterProject: 0 })) continue;
};
const statusOf = async (url: string) => (await fetch(url)).status;

const putPublicly = (path: string) => putObject(inject("publicBucket")!, path, "late");

async function downloadOf(project: Project, file: { filePath: string }): Promise<CreatedDownload> {
  const answer = await project.download(file);
  if (typeof answer === "string") throw new Error(answer);
  return answer;
}

/** A public image whose variant is public too, at this URL. */
async function aPublicVariant(settings: object = {}) {
  const project = await anImageProject(world);
  await project.preset({ eager: true });
  const file = await project.store(picture, { visibility: "public", ...settings });
  await moveAll();
  expect(await worker.next()).toBe("made");
  await moveAll();
  const { publicUrl } = await downloadOf(project, file);
  expect(await statusOf(publicUrl!)).toBe(200);
  return { project, file, url: publicUrl! };
}

async function infect(project: Project, { filePath }: { filePath: string }): Promise<void> {
  const [row] = await world.rows<{ id: number; etag: string }>("select id, etag from files where path = $1", [
    filePath,
  ]);
  const verdict = { etag: row!.etag, verdict: "infected" as const, signature: null };
  await recordVerdict(world.deps, { projectId: project.id, id: row!.id }, verdict);
}

/** Deletes the project's presets, and runs the job that removes their variants. */
async function losePreset(project: Project): Promise<void> {
  await project.deletePreset();
  world.advance(2 * MINUTE);
  await removeAll(world);
}

/** Storage that gives no answer to a copy into the public bucket. */
function withoutCopies() {
  const { store } = world.deps;
  const publish = () => Promise.reject(new StowageError("unavailable"));
  return { ...world.deps, store: { ...store, published: { ...store.published!, publish } } };
}

describe("a variant of a public image", () => {
  test("is read by everyone, as soon as it is made", async () => {
    const { project, file, url } = await aPublicVariant({ cache_control: "public, max-age=60" });
    const answer = await fetch(url);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "image/webp",
      "cache-control": "public, max-age=60",
      "content-disposition": `inline;filename="photo.webp"`,
    });
    const { presignedUrl, size } = await downloadOf(project, file);
    expect((await answer.arrayBuffer()).byteLength).toBe(size);
    expect(await statusOf(presignedUrl)).toBe(200);
  });

  test("that was made before is published with its file", async () => {
    const project = await anImageProject(world);
    const file = await project.store(picture);
    await project.download(file);
    expect(await worker.next()).toBe("made");
    expect(await downloadOf(project, file)).not.toHaveProperty("publicUrl");
    await show(project, file, "public");
    expect(await statusOf((await downloadOf(project, file)).publicUrl!)).toBe(200);
  });

  test("is published on demand, if the worker died before it asked for it", async () => {
    const { project, file } = await aPublicVariant();
    await project.preset({ width: 20 });
    await project.download(file);
    expect(await worker.next()).toBe("made");
    await world.rows("update files set has_other_copy = false where path = $1", [file.filePath]);
    await moveAll();
    expect(await downloadOf(project, file)).not.toHaveProperty("publicUrl");
    await moveAll();
    expect(await statusOf((await downloadOf(project, file)).publicUrl!)).toBe(200);
  });

  test("is private again when the call for its file answers, and public again with it", async () => {
    const { project, file, url } = await aPublicVariant();
    purged.length = 0;
    await show(project, file, "private");
    expect(await statusOf(url)).toBe(403);
    expect(purged).toContain(url);
    const { presignedUrl, ...private_ } = await downloadOf(project, file);
    expect(private_).not.toHaveProperty("publicUrl");
    expect(await statusOf(presignedUrl)).toBe(200);
    await show(project, file, "public");
    expect(await downloadOf(project, file)).toMatchObject({ publicUrl: url });
    expect(await statusOf(url)).toBe(200);
  });

  test.each<[string, (project: Project, file: { filePath: string }) => Promise<unknown>]>([
    ["is deleted", (project, file) => project.delete(file, true)],
    [
      "goes to the trash",
      async (project, file) => {
        await world.rows("update projects set trash_days = 7 where id = $1", [project.id]);
        await project.delete(file);
        await moveAll();
      },
    ],
    [
      "has a virus",
      async (project, file) => {
        await infect(project, file);
        await moveAll();
        await removeAll(world);
      },
    ],
    [
      "is deleted right after a virus was found",
      async (project, file) => {
        await infect(project, file);
        await project.delete(file, true);
      },
    ],
    ["loses its preset", losePreset],
  ])("leaves the public bucket when its file %s", async (_, end) => {
    const { project, file, url } = await aPublicVariant();
    purged.length = 0;
    await end(project, file);
    expect(await statusOf(url)).toBe(403);
    expect(purged).toContain(url);
  });

  test("keeps its file from being called private while storage does not remove it", async () => {
    const { project, file, url } = await aPublicVariant();
    const { store } = world.deps;
    const remove = async (path: string) => {
      if (path.includes("/variants/")) throw new StowageError("unavailable");
      await store.published!.remove(path);
    };
    const down = { ...world.deps, store: { ...store, published: { ...store.published!, remove } } };
    await expect(show(project, file, "private", down)).rejects.toMatchObject({ code: "unavailable" });
    expect(await statusOf(url)).toBe(200);
    world.advance(MINUTE);
    await moveAll();
    expect(await statusOf(url)).toBe(403);
  });

  test("that lands in the public bucket after a delete is removed again", async () => {
    const { project, file, url } = await aPublicVariant();
    await project.preset({ width: 20 });
    await project.download(file);
    expect(await worker.next()).toBe("made");
    const { store } = world.deps;
    await moveAll(withoutCopies());
    const { path } = (await project.rows()).find((row) => !url.endsWith(row.path))!;
    await project.delete(file, true);
    // Storage did not say how the copy ended, and makes it only now.
    await putPublicly(path);
    expect(await statusOf(store.published!.urlOf(path))).toBe(200);
    world.advance(6 * MINUTE);
    await removeAll(world);
    expect(await statusOf(store.published!.urlOf(path))).toBe(403);
    expect(await project.rows()).toEqual([]);
  });

  test.each<[string, (project: Project, file: { filePath: string }) => Promise<unknown>]>([
    ["a delete of its file", (project, file) => project.delete(file, true)],
    ["the end of its preset", losePreset],
  ])("that lands twice is removed after %s, also if only the first copy had no answer", async (_, end) => {
    const project = await anImageProject(world);
    await project.preset({ eager: true });
    const file = await project.store(picture, { visibility: "public" });
    await moveAll();
    expect(await worker.next()).toBe("made");
    const { store } = world.deps;
    await moveAll(withoutCopies());
    world.advance(2000);
    await moveAll();
    const { path } = (await project.rows())[0]!;
    expect(await statusOf(store.published!.urlOf(path))).toBe(200);
    await end(project, file);
    await putPublicly(path);
    world.advance(6 * MINUTE);
    await removeAll(world);
    expect(await statusOf(store.published!.urlOf(path))).toBe(403);
    expect(await project.rows()).toEqual([]);
  });
});

describe("reconcile", () => {
  const run = async (project: Project) => {
    const found = [];
    const input = { projectRef: project.ref, repair: true, deleteOrphans: true };
    for await (const { drift } of reconcile(world.deps, input)) found.push(drift.kind);
    return found;
  };

  test("finds nothing about published variants, makes a lost copy again, and removes one that no row knows", async () => {
    const { project, file, url } = await aPublicVariant();
    expect(await run(project)).toEqual([]);

    const [variant] = await project.rows();
    await world.deps.store.published!.remove(variant!.path);
    expect(await run(project)).toEqual(["missing_variant"]);
    await removeAll(world);
    world.advance(6 * MINUTE);
    await removeAll(world);
    expect(await project.download(file)).toBe("variant_pending");
    expect(await worker.next()).toBe("made");
    await moveAll();
    const { publicUrl } = await downloadOf(project, file);
    expect(publicUrl).not.toBe(url);
    expect(await statusOf(publicUrl!)).toBe(200);

    await world.rows("update file_variants set publication = 'none' where project_id = $1", [project.id]);
    expect(await run(project)).toEqual(["misplaced"]);
    await removeAll(world);
    expect(await statusOf(publicUrl!)).toBe(403);
  });
});
