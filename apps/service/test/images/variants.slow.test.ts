import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CreatedDownload } from "#deliver/create-download.js";
import { findFile } from "#files/record/find-file.js";
import { restoreVersion } from "#files/versions/restore-version.js";
import { updateProject } from "#projects/update-project.js";
import { readUsage } from "#tenants/read-usage.js";
import { recordVerdict } from "#scans/record-verdict.js";
import { aDecoder, anImageProject, anImageWorker, removeAll, replace } from "../fixtures/an-image-project.js";
import { aWorld, type World } from "../fixtures/a-world.js";
import { aPicture, hostileImages } from "../fixtures/hostile-images.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let world: World;
let worker: ReturnType<typeof anImageWorker>;
let picture: Buffer;
let other: Buffer;
beforeAll(async () => {
  world = await aWorld();
  worker = anImageWorker(world);
  picture = await aPicture(60, 40).png().toBuffer();
  other = await aPicture(60, 60).png().toBuffer();
});
afterAll(async () => {
  await worker.close();
  await world.close();
});

const fetchBytes = async ({ presignedUrl }: CreatedDownload) => {
  const answer = await fetch(presignedUrl);
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()), headers: answer.headers };
};

/** Asks for a variant, makes it, and asks again. */
async function ready(project: Awaited<ReturnType<typeof anImageProject>>, file: { filePath: string }) {
  expect(await project.download(file)).toBe("variant_pending");
  expect(await worker.next()).toBe("made");
  const answer = await project.download(file);
  if (typeof answer === "string") throw new Error(answer);
  return answer;
}

describe("a variant", () => {
  test("is made on the first demand, and then read from storage", async () => {
    const project = await anImageProject(world);
    const file = await project.store(picture);
    const download = await ready(project, file);
    expect(download).toMatchObject({
      filename: "photo.webp",
      contentType: "image/webp",
      filePath: file.filePath,
    });
    const { status, bytes, headers } = await fetchBytes(download);
    expect([status, bytes.length, headers.get("content-type")]).toEqual([200, download.size, "image/webp"]);
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 30, height: 20, format: "webp" });
    expect(await worker.next()).toBeNull();
    expect(await findFile(world.deps, project, file)).toMatchObject({
      image: { width: 60, height: 40, placeholder: expect.stringMatching(/^[\w+/=]{20,40}$/) as string },
    });
  });

  test("counts for the project and toward no quota", async () => {
    const project = await anImageProject(world, { defaultQuotaBytes: picture.length });
    const file = await project.store(picture);
    const { size } = await ready(project, file);
    expect(await world.tenant(project)).toMatchObject({ used: picture.length, files: 1 });
    const usage = await readUsage(world.deps, project, {});
    expect(usage).toMatchObject({ usedBytes: picture.length, variantBytes: size });
    expect(await readUsage(world.deps, project, { tenantId: "t" })).not.toHaveProperty("variantBytes");
  });

  test("of an automatic preset is AVIF only where the browser takes it", async () => {
    const project = await anImageProject(world);
    const file = await project.store(picture);
    const accept = "image/avif,image/webp,*/*";
    await ready(project, file);
    expect(await project.download(file, { accept })).toBe("variant_pending");
    expect(await worker.next()).toBe("made");
    expect(await project.download(file, { accept })).toMatchObject({ contentType: "image/avif" });
    expect(await project.download(file)).toMatchObject({ contentType: "image/webp" });
  });

  test("is queued once, however many ask for it", async () => {
    const project = await anImageProject(world);
    const file = await project.store(picture);
    const answers = await Promise.all(Array.from({ length: 20 }, () => project.download(file)));
    expect(new Set(answers)).toEqual(new Set(["variant_pending"]));
    expect(await project.rows()).toHaveLength(1);
    expect(await worker.next()).toBe("made");
    expect(await worker.next()).toBeNull();
  });

  test("of an unknown preset is refused, also with the preset of another project", async () => {
    const project = await anImageProject(world);
    await (await anImageProject(world)).preset({ name: "theirs" });
    const file = await project.store(picture);
    expect(await project.download(file, { variant: "theirs" })).toBe("preset_not_found");
    expect(await project.rows()).toEqual([]);
  });

  test("of another project's file does not exist", async () => {
    const project = await anImageProject(world);
    const theirs = await (await anImageProject(world)).store(picture);
    expect(await project.download(theirs)).toBe("file_not_found");
  });

  test("of an eager preset is queued with the file, and only for images", async () => {
    const project = await anImageProject(world);
    await project.preset({ eager: true });
    await project.store(Buffer.from("text"), { filename: "a.txt" });
    expect(await project.rows()).toEqual([]);
    const file = await project.store(picture);
    expect(await worker.next()).toBe("made");
    expect(await project.download(file)).toMatchObject({ contentType: "image/webp" });
  });
});

describe("a preset", () => {
  test("that keeps animations makes them on demand and with the file, also for browsers that take AVIF", async () => {
    const project = await anImageProject(world);
    const frames = [picture, await aPicture(60, 40).negate().png().toBuffer()];
    const animation = await sharp(frames, { join: { animated: true } })
      .gif({ delay: [70, 90] })
      .toBuffer();
    await project.preset({ animated: true, eager: true });
    const file = await project.store(animation, { filename: "a.gif" });
    expect(await worker.next()).toBe("made");
    const answer = await project.download(file, { accept: "image/avif" });
    if (typeof answer === "string") throw new Error(answer);
    const { bytes } = await fetchBytes(answer);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", pages: 2, width: 30 });
    await project.preset({ animated: false });
    expect(await project.download(file)).toBe("variant_pending");
    expect(await worker.next()).toBe("made");
    expect(() => project.preset({ animated: true, format: "jpeg" })).toThrow("animated needs the format");
  });

  test("that changes never hands out an old variant, and the old one is removed", async () => {
    const project = await anImageProject(world);
    const file = await project.store(picture);
    await ready(project, file);
    const [old] = await project.objects();
    await project.preset({ width: 15 });
    const { bytes } = await fetchBytes(await ready(project, file));
    expect((await sharp(bytes).metadata()).width).toBe(15);
    world.advance(2 * MINUTE);
    await removeAll(world);
    expect(await project.objects()).toHaveLength(1);
    expect(await project.objects()).not.toContain(old);
    expect(await project.download(file)).toMatchObject({ contentType: "image/webp" });
  });

  test("that is deleted takes its variants along, except those of another one with the same parameters", async () => {
    const project = await anImageProject(world);
    await project.preset({ name: "same" });
    const file = await project.store(picture);
    await ready(project, file);
    await project.deletePreset("thumb");
    expect(await project.download(file)).toBe("preset_not_found");
    world.advance(2 * MINUTE);
    await removeAll(world);
    expect(await project.download(file, { variant: "same" })).toMatchObject({ contentType: "image/webp" });
    await project.deletePreset("same");
    world.advance(2 * MINUTE);
    await removeAll(world);
    expect([await project.objects(), await project.rows()]).toEqual([[], []]);
  });

  test("of a waiting variant may change: the variant is made with what was asked for, and then removed", async () => {
    const project = await anImageProject(world);
    const file = await project.store(picture);
    expect(await project.download(file)).toBe("variant_pending");
    await project.preset({ width: 15 });
    expect(await worker.next()).toBe("made");
    expect(await project.download(file)).toBe("variant_pending");
    expect(await worker.next()).toBe("made");
    world.advance(2 * MINUTE);
    await removeAll(world);
    expect(await project.objects()).toHaveLength(1);
  });

  test("is one of at most 20", async () => {
    const project = await anImageProject(world);
    for (let n = 1; n < 20; n++) await project.preset({ name: `p${n}` });
    await expect(project.preset({ name: "more" })).rejects.toThrow("at most 20 image presets");
    await project.preset({ name: "p1", width: 99 });
  });
});

describe("bytes that are no image", () => {
  test.each(hostileImages)("are answered as such, and the worker continues: %s", async (_, bytes) => {
    const project = await anImageProject(world);
    const file = await project.store(bytes);
    expect(await project.download(file)).toBe("variant_pending");
    expect(await worker.next()).toBe("impossible");
    expect(await project.download(file)).toBe("variant_impossible");
    expect(await worker.next()).toBeNull();
    expect(await project.objects()).toEqual([]);
  });
});

describe("a file that ends takes its variants along:", () => {
  test("a delete", async () => {
    const project = await anImageProject(world);
    const file = await project.store(picture);
    await ready(project, file);
    await project.delete(file);
    expect(await project.download(file)).toBe("file_not_found");
    expect([await project.objects(), await project.rows()]).toEqual([[], []]);
  });

  test("the trash, until it is restored or purged", async () => {
    const project = await anImageProject(world, { trashDays: 3 });
    const file = await project.store(picture);
    await ready(project, file);
    await project.delete(file);
    expect(await project.download(file)).toBe("file_not_found");
    await project.restore(file);
    expect(await project.download(file)).toMatchObject({ contentType: "image/webp" });
    await project.delete(file, true);
    expect([await project.objects(), await project.rows()]).toEqual([[], []]);
  });

  test("a replacement, until the version is restored", async () => {
    const project = await anImageProject(world, { trashDays: 3, maxVersions: 3 });
    const old = await project.store(picture);
    await ready(project, old);
    const current = await project.store(other, { replaces: old.filePath });
    expect(await project.download(old)).toBe("file_not_found");
    expect(await project.download(current)).toBe("variant_pending");
    expect(await worker.next()).toBe("made");
    const both = { filePath: current.filePath, version: old.filePath };
    await restoreVersion({ ...world.deps, settling: world.deps }, project, { ...both, tenantId: undefined });
    expect(await project.download(old)).toMatchObject({ contentType: "image/webp" });
    expect(await project.download(current)).toBe("file_not_found");
  });

  test("other bytes", async () => {
    const project = await anImageProject(world);
    const file = await project.store(picture);
    await ready(project, file);
    await replace(file, other);
    await world.complete(project, file.filePath);
    expect(await findFile(world.deps, project, file)).not.toHaveProperty("image");
    expect(await project.download(file)).toBe("variant_pending");
    await removeAll(world);
    expect(await project.objects()).toEqual([]);
    expect(await worker.next()).toBe("made");
    expect(await findFile(world.deps, project, file)).toMatchObject({ image: { width: 60, height: 60 } });
  });

  test("an infected verdict", async () => {
    const project = await anImageProject(world);
    const file = await project.store(picture);
    await ready(project, file);
    await updateProject(world.deps, project.ref, { scan: "external" });
    expect(await project.download(file)).toBe("file_not_scanned");
    const [row] = await world.rows<{ id: number; etag: string }>(
      "select id, etag from files where path = $1",
      [file.filePath],
    );
    const report = { etag: row!.etag, verdict: "infected", signature: "Eicar" } as const;
    await recordVerdict(world.deps, { projectId: project.id, id: row!.id }, report);
    expect(await project.download(file)).toBe("file_quarantined");
    await removeAll(world);
    expect([await project.objects(), await project.rows()]).toEqual([[], []]);
  });
});

describe("a worker", () => {
  test("reads no file that is not scanned, and makes the variant when it is clean", async () => {
    const project = await anImageProject(world);
    const file = await project.store(picture);
    await project.download(file);
    await updateProject(world.deps, project.ref, { scan: "external" });
    const read = () => Promise.reject(new Error("the file was read"));
    const blind = anImageWorker(world, { store: { read } });
    expect(await blind.next()).toBe("waits_for_scan");
    await blind.close();
    const [row] = await world.rows<{ id: number; etag: string }>(
      "select id, etag from files where path = $1",
      [file.filePath],
    );
    const report = { etag: row!.etag, verdict: "clean", signature: null } as const;
    await recordVerdict(world.deps, { projectId: project.id, id: row!.id }, report);
    world.advance(MINUTE);
    expect(await worker.next()).toBe("made");
    expect(await project.download(file)).toMatchObject({ contentType: "image/webp" });
  });

  test.each(["deleted", "trashed"])("makes nothing of a file that was %s in the meantime", async (how) => {
    const project = await anImageProject(world, { trashDays: how === "trashed" ? 3 : 0 });
    const file = await project.store(picture);
    await project.download(file);
    await project.delete(file);
    expect(await worker.next()).toBe(how === "trashed" ? "ended" : null);
    world.advance(2 * MINUTE);
    await removeAll(world);
    expect([await project.objects(), await project.rows()]).toEqual([[], []]);
  });

  test("goes from project to project, so that many variants of one delay no other", async () => {
    const [many, few] = [await anImageProject(world), await anImageProject(world)];
    for (let n = 0; n < 4; n++) await many.download(await many.store(picture));
    await few.download(await few.store(picture));
    await worker.next();
    await worker.next();
    expect((await few.rows())[0]!.status).toBe("ready");
    while ((await worker.next()) !== null) continue;
    expect((await many.rows()).map(({ status }) => status)).toEqual(Array(4).fill("ready"));
  });

  test("makes each variant once, if there are two workers", async () => {
    const project = await anImageProject(world);
    for (let n = 0; n < 6; n++) await project.download(await project.store(picture));
    const second = anImageWorker(world);
    const drain = async ({ next }: { next: () => Promise<unknown> }) => {
      while ((await next()) !== null) continue;
    };
    await Promise.all([drain(worker), drain(second)]);
    await second.close();
    expect((await project.rows()).map(({ status, claim }) => [status, claim])).toEqual(
      Array.from({ length: 6 }, () => ["ready", 1]),
    );
  });

  test("tries again after an outage of storage, without an end", async () => {
    const project = await anImageProject(world);
    const file = await project.store(picture);
    await project.download(file);
    const read = () => Promise.reject(new Error("storage is down"));
    const unlucky = anImageWorker(world, { store: { read } });
    for (let n = 0; n < 6; n++) {
      expect(await unlucky.next()).toBe("failed");
      expect(await unlucky.next()).toBeNull();
      world.advance(HOUR);
    }
    await unlucky.close();
    expect(await worker.next()).toBe("made");
  });

  test("gives its variant back when it stops", async () => {
    const project = await anImageProject(world);
    await project.download(await project.store(picture));
    const stopping = anImageWorker(world, { decoder: aDecoder("hangs") });
    const making = stopping.next();
    await expect.poll(() => stopping.decoder.pids().length).toBe(1);
    stopping.stop();
    expect(await making).toBeNull();
    await stopping.close();
    expect(await worker.next()).toBe("made");
  });
});

describe("no object is without a row, whatever happens between", () => {
  test("a delete and the write of a worker", async () => {
    const project = await anImageProject(world);
    const file = await project.store(picture);
    await project.download(file);
    const late = anImageWorker(world, {
      store: {
        write: async (path: string, bytes: Uint8Array, contentType: string) => {
          await project.delete(file);
          expect((await project.rows()).map(({ status }) => status)).toEqual(["removing"]);
          await world.deps.store.write(path, bytes, contentType);
        },
      },
    });
    await late.next();
    await late.close();
    expect(await project.rows()).toHaveLength(1);
    world.advance(2 * MINUTE);
    await removeAll(world);
    expect([await project.objects(), await project.rows()]).toEqual([[], []]);
  });

  test("the end of a lease and the write of a worker that was stopped for minutes", async () => {
    const project = await anImageProject(world);
    const file = await project.store(picture);
    await project.download(file);
    const late = anImageWorker(world, {
      store: {
        write: async (path: string, bytes: Uint8Array, contentType: string) => {
          await project.delete(file);
          world.advance(5 * MINUTE);
          await removeAll(world);
          expect(await project.rows()).toEqual([]);
          await world.deps.store.write(path, bytes, contentType);
        },
      },
    });
    await late.next();
    await late.close();
    expect(await project.objects()).toEqual([]);
  });

  test("the write of a worker that dies, and a second worker", async () => {
    const project = await anImageProject(world);
    const file = await project.store(picture);
    await project.download(file);
    const dying = anImageWorker(world, {
      store: {
        write: async (path: string, bytes: Uint8Array, contentType: string) => {
          await world.deps.store.write(path, bytes, contentType);
          dying.stop();
          throw new Error("killed");
        },
      },
    });
    await dying.next();
    await dying.close();
    expect((await project.rows()).map(({ path }) => path)).toEqual(await project.objects());
    expect(await worker.next()).toBe("made");
    await project.delete(file);
    world.advance(2 * MINUTE);
    await removeAll(world);
    expect([await project.objects(), await project.rows()]).toEqual([[], []]);
  });

  test("the write of a worker and other bytes of the file", async () => {
    const project = await anImageProject(world);
    const file = await project.store(picture);
    await project.download(file);
    const late = anImageWorker(world, {
      store: {
        write: async (path: string, bytes: Uint8Array, contentType: string) => {
          await replace(file, other);
          await world.complete(project, file.filePath);
          await world.deps.store.write(path, bytes, contentType);
        },
      },
    });
    await late.next();
    await late.close();
    expect(await project.download(file)).toBe("variant_pending");
    expect(await worker.next()).toBe("made");
    world.advance(2 * MINUTE);
    await removeAll(world);
    const [path, ...others] = await project.objects();
    expect(others).toEqual([]);
    const object = await world.deps.store.read(path!, AbortSignal.timeout(60_000));
    const bytes = Buffer.concat(await object!.body.toArray());
    expect((await sharp(bytes).metadata()).height).toBe(30);
  });
});
