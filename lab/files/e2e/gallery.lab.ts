import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { anExample, type Example } from "@stowage/e2e/fixtures/an-example.js";
import { aHeif } from "@stowage/service/test/fixtures/a-heif.js";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";

/*
 * How long the first screen of a gallery takes on a first visit: of JPEGs alone, and with a HEIC in every second place.
 */
const PHOTOS = 200;
const ROUNDS = 7;
const FIRST_SCREEN = 8;
const WIDTH = 2048;
const HEIGHT = 1536;

let example: Example;
beforeAll(async () => void (example = await anExample()));
afterAll(() => example?.[Symbol.asyncDispose]());

async function openPhotos(person: string) {
  const visit = await example.open();
  await visit.page.getByRole("button", { name: person }).click();
  await visit.page.getByRole("link", { name: "Photos", exact: true }).click();
  await visit.page.locator('.stowage-files[aria-busy="false"]').waitFor();
  return visit;
}

async function store(person: string, kinds: { extension: string; bytes: Buffer }[]): Promise<void> {
  const folder = join(example.folder, person);
  await mkdir(folder, { recursive: true });
  const paths = await Promise.all(
    Array.from({ length: PHOTOS }, async (_, n) => {
      const { extension, bytes } = kinds[n % kinds.length]!;
      const path = join(folder, `photo-${String(n).padStart(3, "0")}.${extension}`);
      await writeFile(path, bytes);
      return path;
    }),
  );
  const { page, context } = await openPhotos(person);
  await page.locator("input[type=file]").setInputFiles(paths);
  await page.getByText(`${PHOTOS} of ${PHOTOS} files uploaded`).waitFor({ timeout: 300_000 });
  await context.close();
}

/** Milliseconds from the click until all images of the first screen are there. */
async function firstScreenMs(person: string): Promise<number> {
  const { page, context } = await example.open();
  await page.getByRole("button", { name: person }).click();
  const started = performance.now();
  await page.getByRole("link", { name: "Photos", exact: true }).click();
  await page.waitForFunction(
    (count) => document.querySelectorAll('.stowage-frame[data-status="loaded"]').length >= count,
    FIRST_SCREEN,
    { timeout: 300_000, polling: 10 },
  );
  const ms = performance.now() - started;
  await context.close();
  return ms;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

test(`the first screen of ${PHOTOS} photos takes at most 1.3 times as long if half of them are HEIC`, async () => {
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  const small = await sharp({ create: { width: 256, height: 192, channels: 3, background: "#777", noise } })
    .png()
    .toBuffer();
  const jpeg = { extension: "jpg", bytes: await sharp(small).resize(WIDTH, HEIGHT).jpeg().toBuffer() };
  const grid = { columns: WIDTH / 512, rows: HEIGHT / 512, width: WIDTH, height: HEIGHT };
  const heic = { extension: "heic", bytes: aHeif({ grid, tiles: ["large"] }) };
  await store("Ada Lovelace", [jpeg]);
  await store("Grace Hopper", [jpeg, heic]);
  // All variants are made: the preset is eager.
  await expect
    .poll(async () => Math.max(await firstScreenMs("Ada Lovelace"), await firstScreenMs("Grace Hopper")), {
      timeout: 600_000,
    })
    .toBeLessThan(5_000);
  const jpegMs: number[] = [];
  const mixedMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    jpegMs.push(await firstScreenMs("Ada Lovelace"));
    mixedMs.push(await firstScreenMs("Grace Hopper"));
  }
  const ratio = median(mixedMs.map((ms, round) => ms / jpegMs[round]!));
  console.log(
    `JPEG ${median(jpegMs).toFixed(0)} ms, half HEIC ${median(mixedMs).toFixed(0)} ms, ratio ${ratio.toFixed(2)}`,
  );
  expect(ratio).toBeLessThan(1.3);
});
