import { thumbnailMaxBytes } from "@stowage/operator-schemas";
import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLinks } from "#deliver/create-links.js";
import { createThumbnails } from "#deliver/create-thumbnails.js";
import { aPdf } from "../fixtures/a-pdf.js";
import { anImageProject, anImageWorker } from "../fixtures/an-image-project.js";
import { aWorld, type World } from "../fixtures/a-world.js";
import { aPicture } from "../fixtures/hostile-images.js";

let world: World;
let worker: ReturnType<typeof anImageWorker>;
let large: Buffer;
beforeAll(async () => {
  world = await aWorld();
  worker = anImageWorker(world);
  // Noise, which no format makes small.
  const width = 900;
  large = await sharp(randomBytes(width * width * 3), { raw: { width, height: width, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
});
afterAll(async () => {
  await worker.close();
  await world.close();
});

type Project = Awaited<ReturnType<typeof anImageProject>>;

async function idsOf(project: Project, files: { filePath: string }[]): Promise<number[]> {
  const rows = await world.rows<{ id: number; path: string }>(
    "select id, path from files where project_id = $1",
    [project.id],
  );
  return files.map(({ filePath }) => rows.find(({ path }) => path === filePath)!.id);
}

const load = async (url: string) => sharp(Buffer.from(await (await fetch(url)).arrayBuffer())).metadata();

async function thumbnailsOf(project: Project, ...files: { filePath: string }[]) {
  const ids = await idsOf(project, files);
  const thumbnails = await createThumbnails(world.deps, project, { fileIds: ids });
  return Promise.all(
    ids.map(async (id) => {
      const thumbnail = thumbnails.find(({ fileId }) => fileId === id);
      if (!thumbnail) return null;
      return load(thumbnail.url);
    }),
  );
}

describe("a thumbnail in the dashboard's lists", () => {
  test("is the variant of the smallest preset that fits, made on the first demand", async () => {
    const project = await anImageProject(world);
    await project.preset({ name: "list", width: 96 });
    await project.preset({ name: "page", width: 400 });
    const [small, big] = [
      await project.store(await aPicture(300, 200).png().toBuffer()),
      await project.store(large),
    ];
    expect(large.length).toBeGreaterThan(thumbnailMaxBytes);
    expect(await thumbnailsOf(project, small, big)).toMatchObject([{ width: 300, format: "png" }, null]);
    expect([await worker.next(), await worker.next(), await worker.next()]).toEqual(["made", "made", null]);
    expect(await thumbnailsOf(project, small, big)).toMatchObject([
      { width: 96, format: "webp" },
      { width: 96, format: "webp" },
    ]);
  });

  test("is the image itself, if it is small and no preset fits, or it has no variant", async () => {
    const project = await anImageProject(world);
    const picture = await project.store(await aPicture(300, 200).png().toBuffer());
    expect(await thumbnailsOf(project, picture)).toMatchObject([{ width: 300 }]);
    await project.preset({ name: "huge", width: 2000 });
    expect(await thumbnailsOf(project, picture)).toMatchObject([{ width: 300 }]);
    expect(await project.rows()).toEqual([]);
  });

  test("of a PDF is its first page, and there is none before it is made", async () => {
    const project = await anImageProject(world);
    const pdf = await project.store(aPdf(), { filename: "letter.pdf" });
    expect(await thumbnailsOf(project, pdf)).toEqual([null]);
    await project.preset({ name: "list", width: 96 });
    expect(await thumbnailsOf(project, pdf)).toEqual([null]);
    expect([await worker.next(), await worker.next()]).toEqual(["made", null]);
    expect(await thumbnailsOf(project, pdf)).toMatchObject([{ width: 96, height: 96, format: "webp" }]);
    const [row] = await world.rows("select image from files where project_id = $1", [project.id]);
    expect(row).toEqual({ image: null });
  });

  test("of a PDF is made at once where the preset says so", async () => {
    const project = await anImageProject(world);
    await project.preset({ name: "thumb", width: 30, eager: true });
    await project.store(aPdf(), { filename: "letter.pdf", content_type: "application/pdf" });
    await project.store(Buffer.from("text"), { filename: "a.txt", content_type: "text/plain" });
    expect([await worker.next(), await worker.next()]).toEqual(["made", null]);
  });

  test("of a video is asked for only where workers make pictures of videos", async () => {
    const project = await anImageProject(world);
    const film = await project.store(Buffer.from("film"), { filename: "a.mp4", content_type: "video/mp4" });
    const fileIds = await idsOf(project, [film]);
    await project.preset({ name: "list", width: 96 });
    expect(await createThumbnails(world.deps, project, { fileIds })).toEqual([]);
    expect(await project.rows()).toEqual([]);
    expect(await createThumbnails({ ...world.deps, hasPosters: true }, project, { fileIds })).toEqual([]);
    expect(await project.rows()).toMatchObject([{ status: "waiting" }]);
    expect(await worker.next()).toBe("impossible");
  });
});

describe("the preview of a file in the dashboard", () => {
  const linksTo = async (project: Project, file: { filePath: string }) =>
    createLinks(world.deps, project, { fileId: (await idsOf(project, [file]))[0]! });

  test("has the variant of the smallest preset that shows the whole image, and the image itself until it is made", async () => {
    const project = await anImageProject(world);
    await project.preset({ name: "square", width: 500, height: 500, fit: "cover" });
    await project.preset({ name: "large", width: 1000 });
    await project.preset({ name: "page", width: 600 });
    const image = await project.store(large);
    const first = await linksTo(project, image);
    expect(first.variantUrl).toBeNull();
    expect(await load(first.previewUrl!)).toMatchObject({ width: 900, format: "png" });
    expect([await worker.next(), await worker.next()]).toEqual(["made", null]);
    const second = await linksTo(project, image);
    expect(await load(second.variantUrl!)).toMatchObject({ width: 600, height: 600, format: "webp" });
    expect(await load(second.previewUrl!)).toMatchObject({ width: 900, format: "png" });
  });

  test("has no variant of a small image, of a file that is no image, and without a preset that fits", async () => {
    const project = await anImageProject(world);
    const image = await project.store(large);
    expect((await linksTo(project, image)).variantUrl).toBeNull();
    await project.preset({ name: "page", width: 600 });
    const small = await project.store(await aPicture(900, 600).png().toBuffer());
    const text = await project.store(large, { filename: "text.txt", content_type: "text/plain" });
    const broken = await project.store(randomBytes(200_000));
    for (const file of [small, text, broken]) expect((await linksTo(project, file)).variantUrl).toBeNull();
    expect([await worker.next(), await worker.next()]).toEqual(["impossible", null]);
    expect((await linksTo(project, broken)).variantUrl).toBeNull();
  });

  test("has the first page of a PDF besides the PDF", async () => {
    const project = await anImageProject(world);
    await project.preset({ name: "page", width: 600 });
    const pdf = await project.store(aPdf(), { filename: "letter.pdf" });
    expect(await linksTo(project, pdf)).toMatchObject({ previewKind: "pdf", variantUrl: null });
    expect([await worker.next(), await worker.next()]).toEqual(["made", null]);
    expect(await load((await linksTo(project, pdf)).variantUrl!)).toMatchObject({ width: 600, height: 600 });
  });
});
