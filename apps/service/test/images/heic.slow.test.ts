import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { createDecoder } from "#images/decode/decoder.js";
import type { VariantParameters } from "#images/preset-parameters.js";
import { sniffImage } from "#images/sniff-image.js";
import { aHeif, type HeifOptions } from "../fixtures/a-heif.js";
import { anImageProject, anImageWorker, decoderOptions } from "../fixtures/an-image-project.js";
import { aWorld } from "../fixtures/a-world.js";

const decoder = createDecoder({ ...decoderOptions, timeLimitMs: 30_000 });
afterAll(() => decoder.close());
const never = new AbortController().signal;
const parameters: VariantParameters = { width: 400, height: 400, fit: "inside", format: "jpeg", quality: 95 };

function decode(bytes: Buffer, changed: Partial<VariantParameters> = {}) {
  const format = sniffImage(bytes) ?? "jpeg";
  return decoder.decode({ bytes, format, parameters: { ...parameters, ...changed } }, never);
}

async function aVariant(options: HeifOptions, changed: Partial<VariantParameters> = {}) {
  const answer = await decode(aHeif(options), changed);
  if (!answer.ok) throw new Error(answer.reason);
  const { data, info } = await sharp(answer.bytes)
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const from = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    return colorOf([...data.subarray(from, from + 3)]);
  };
  const metadata = await sharp(answer.bytes).metadata();
  return { ...answer, metadata, at, corners: [at(0.1, 0.1), at(0.9, 0.1), at(0.1, 0.9), at(0.9, 0.9)] };
}

function colorOf([red = 0, green = 0, blue = 0]: number[]): string {
  if (Math.min(red, green, blue) > 200) return "white";
  if (Math.max(red, green, blue) - Math.min(red, green, blue) < 20) return "gray";
  return red > green && red > blue ? "red" : green > blue ? "green" : "blue";
}

const UPRIGHT = ["red", "green", "blue", "white"];

describe("a variant of a HEIC", () => {
  test("has its colors and size", async () => {
    const { corners, image } = await aVariant({});
    expect(corners).toEqual(UPRIGHT);
    expect(image).toMatchObject({ width: 64, height: 64 });
  });

  test.each([
    [["mif1", "heic"]],
    [["mif1", "mif1", "miaf", "MiHB", ...Array<string>(16).fill("MA1A"), "heic"]],
    [["heix", "mif1"]],
    [["heic", "mif1", "MiHE", "MiPr", "miaf", "MiHB", "heic"]],
    [["mif1", "mif1", "miaf"]],
  ])("is made for the brands %j", async (brands) => {
    expect((await aVariant({ brands })).corners).toEqual(UPRIGHT);
  });

  test("is put together of the tiles of a grid, whose edges are cut off", async () => {
    const grid = { columns: 3, rows: 2, width: 150, height: 100 };
    const { at, image, metadata } = await aVariant({
      grid,
      tiles: ["fields", "gray", "gray", "gray", "fields", "gray"],
    });
    expect(image).toMatchObject({ width: 150, height: 100 });
    expect(metadata).toMatchObject({ width: 150, height: 100 });
    const centers = [10, 50, 80, 140].map((x) => [10, 70].map((y) => at(x / 150, y / 100)));
    expect(centers).toEqual([
      ["red", "gray"],
      ["green", "gray"],
      ["gray", "red"],
      ["gray", "gray"],
    ]);
  });

  test.each([
    [{ rotation: 1 }, ["green", "white", "red", "blue"]],
    [{ rotation: 2 }, ["white", "blue", "green", "red"]],
    [{ rotation: 3 }, ["blue", "red", "white", "green"]],
    [{ mirror: 1 }, ["green", "red", "white", "blue"]],
    [{ mirror: 0 }, ["blue", "white", "red", "green"]],
  ] as const)("is turned once as %j says", async (turn, corners) => {
    expect((await aVariant({ ...turn, exifOrientation: 6 })).corners).toEqual(corners);
    const wide = { columns: 2, rows: 1, width: 128, height: 60 };
    const { image, metadata } = await aVariant({ ...turn, grid: wide, exifOrientation: 6 });
    const isOnItsSide = "rotation" in turn && turn.rotation !== 2;
    const size = isOnItsSide ? { width: 60, height: 128 } : { width: 128, height: 60 };
    expect([image, metadata]).toMatchObject([size, size]);
  });

  test("is turned with each tile of a grid in its place", async () => {
    const grid = { columns: 2, rows: 1, width: 128, height: 64 };
    const { at } = await aVariant({ grid, tiles: ["fields", "gray"], rotation: 3 });
    expect([at(0.2, 0.1), at(0.8, 0.1), at(0.2, 0.4), at(0.8, 0.4), at(0.5, 0.8)]).toEqual([
      "blue",
      "red",
      "white",
      "green",
      "gray",
    ]);
  });

  test("is not turned by Exif alone, because the container decides", async () => {
    expect((await aVariant({ exifOrientation: 6 })).corners).toEqual(UPRIGHT);
  });

  test("has 8 bits for each channel, also of 10", async () => {
    expect((await aVariant({ tiles: ["deep"] })).corners).toEqual(UPRIGHT);
  });

  test("has its transparency", async () => {
    const answer = await decode(aHeif({ hasAlpha: true }), { format: "webp" });
    if (!answer.ok) throw new Error(answer.reason);
    const { channels } = await sharp(answer.bytes).stats();
    expect(channels).toHaveLength(4);
    expect(channels[3]!.mean).toBeGreaterThan(100);
    expect(channels[3]!.mean).toBeLessThan(150);
  });

  test("keeps its color profile", async () => {
    const { icc } = await sharp(
      await sharp({ create: { width: 8, height: 8, channels: 3, background: "#c33" } })
        .withIccProfile("p3")
        .png()
        .toBuffer(),
    ).metadata();
    expect((await aVariant({ icc: icc! })).metadata.icc?.equals(icc!)).toBe(true);
  });

  test.each([
    ["P3", 12, 13],
    ["BT.2020", 9, 13],
    ["PQ", 9, 16],
    ["HLG", 9, 18],
  ])("has a profile for the numbers of %s", async (_, primaries, transfer) => {
    const { corners, metadata } = await aVariant({ nclx: [primaries, transfer], tiles: ["deep"] });
    expect(corners).toEqual(UPRIGHT);
    expect(metadata.icc!.length).toBeLessThan(700);
  });

  test("is made of the photo if its thumbnail is damaged", async () => {
    const options: HeifOptions = { tiles: ["large"], thumbnail: "gray", thumbnailSide: 128 };
    const { corners, image } = await aVariant(options, { width: 100, height: 100 });
    expect(corners).toEqual(UPRIGHT);
    expect(image).toMatchObject({ width: 512, height: 512 });
  });

  test("is made of the thumbnail where that has all its pixels", async () => {
    const photo = {
      grid: { columns: 2, rows: 2, width: 1024, height: 1024 },
      tiles: ["large"],
      thumbnail: "gray",
    } as const;
    const options = { ...photo, tiles: [...photo.tiles] };
    const small = await aVariant(options, { width: 64, height: 64 });
    expect([small.at(0.1, 0.1), small.image]).toMatchObject(["gray", { width: 1024, height: 1024 }]);
    const larger = await aVariant(options, { width: 65, height: 65 });
    expect([larger.at(0.1, 0.1), larger.metadata.width]).toEqual(["red", 65]);
  });

  test.each([
    ["12", 8, 6, 4032, 3024],
    ["48", 16, 12, 8064, 6048],
  ])(
    "of %s megapixels is made within the limits, also the largest AVIF",
    { timeout: 120_000 },
    async (_, columns, rows, width, height) => {
      const grid = { columns, rows, width, height };
      expect((await aVariant({ grid, tiles: ["large"] })).image).toMatchObject({ width, height });
      const largest = { format: "avif", width: 4096, height: 4096 } as const;
      const answer = await decode(aHeif({ grid, tiles: ["large"] }), largest);
      expect(answer).toMatchObject({ ok: true, image: { width, height } });
    },
  );
});

describe("a HEIC that is no photo", () => {
  test("with too many pixels is refused with the limit", async () => {
    const bytes = aHeif({ grid: { columns: 24, rows: 16, width: 12_000, height: 8000 }, tiles: ["large"] });
    const reason = "a HEIC may have at most 50 megapixels, and this one has 96";
    expect(await decode(bytes)).toEqual({ ok: false, reason });
  });

  test("is refused wherever it is cut off, by a process that continues", async () => {
    await decode(aHeif());
    const pids = decoder.pids();
    const whole = aHeif({
      grid: { columns: 2, rows: 2, width: 128, height: 128 },
      tiles: ["fields", "gray"],
    });
    for (let length = 24; length < whole.length - 12; length += 23)
      expect([length, await decode(whole.subarray(0, length))]).toMatchObject([length, { ok: false }]);
    expect(await decode(whole)).toMatchObject({ ok: true });
    expect(decoder.pids()).toEqual(pids);
  });

  test.each([
    ["no item", aHeif().subarray(0, 24)],
    ["a size of zero", aHeif({ grid: { columns: 2, rows: 2, width: 0, height: 0 } })],
    ["a larger grid than its tiles", aHeif({ grid: { columns: 2, rows: 2, width: 1000, height: 1000 } })],
    [
      "a size beyond every limit",
      aHeif({ grid: { columns: 2, rows: 2, width: 0xffffffff, height: 0xffffffff } }),
    ],
    ["AV1 by its brands", aHeif({ brands: ["avif", "mif1", "avif"] })],
  ])("is refused: %s", async (_, bytes) => {
    expect(await decode(bytes)).toMatchObject({ ok: false });
  });

  test("is not judged by a process that gets too little memory", async () => {
    const starved = createDecoder({ ...decoderOptions, memoryBytes: 100 * 1024 ** 2 });
    const bytes = aHeif({ grid: { columns: 16, rows: 12, width: 8064, height: 6048 }, tiles: ["large"] });
    const decoding = starved.decode({ bytes, format: "heic", parameters }, never);
    await expect(decoding).rejects.toMatchObject({ name: "DecoderFailedError", kind: "memory" });
    await starved.close();
  });
});

test("a worker whose operator switched HEIC off refuses it", async () => {
  const world = await aWorld();
  const project = await anImageProject(world);
  const worker = anImageWorker(world, { formatsOff: ["heic"] });
  const file = await project.store(aHeif(), { filename: "IMG_1.HEIC" });
  await project.download(file);
  expect(await worker.next()).toBe("impossible");
  expect(await project.rows()).toMatchObject([{ reason: "HEIC is switched off", failure: "image" }]);
  expect(worker.decoder.pids()).toEqual([]);
  await worker.close();
  await world.close();
});
