import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { createDecoder } from "@stowage/service/src/images/decode/decoder.js";
import { imageDecoder } from "@stowage/service/src/paths.js";
import { aPicture } from "@stowage/service/test/fixtures/hostile-images.js";

/*
 * The memory of a worker's decoders and of their parent over many images, with the limits of `stowage worker`. IMAGES=… sets their number.
 */
const IMAGES = Number(process.env["IMAGES"] || 10_000);
const DECODERS = 2;
const SAMPLES = 100;
const MIB = 1024 ** 2;

async function residentMib(pid: number | "self"): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

test(`memory is flat and bounded over ${IMAGES} images`, { timeout: 3_600_000 }, async () => {
  const decoder = createDecoder({
    processes: DECODERS,
    program: imageDecoder,
    timeLimitMs: 60_000,
    memoryBytes: 512 * MIB,
    maxJobs: 200,
  });
  // Sizes and formats that alternate, so that the heap fragments as in life.
  const pictures = await Promise.all(
    [640, 800, 1024, 1280].flatMap((width) => [
      aPicture(width, width)
        .jpeg()
        .toBuffer()
        .then((bytes) => ({ bytes, format: "jpeg" as const })),
      aPicture(width, 480)
        .png()
        .toBuffer()
        .then((bytes) => ({ bytes, format: "png" as const })),
    ]),
  );
  const parameters = { width: 320, height: 320, fit: "cover", format: "webp", quality: 80 } as const;
  const decoders: number[] = [];
  const parents: number[] = [];
  let next = 0;
  const started = performance.now();
  async function work(): Promise<void> {
    while (next < IMAGES) {
      const n = next++;
      const { bytes, format } = pictures[n % pictures.length]!;
      const answer = await decoder.decode({ bytes, format, parameters }, new AbortController().signal);
      expect(answer.ok).toBe(true);
      if (n % Math.ceil(IMAGES / SAMPLES) !== 0) continue;
      decoders.push(...(await Promise.all(decoder.pids().map(residentMib))).filter((mib) => mib > 0));
      parents.push(await residentMib("self"));
    }
  }
  await Promise.all(Array.from({ length: DECODERS }, work));
  const seconds = (performance.now() - started) / 1000;
  await decoder.close();
  const half = Math.floor(parents.length / 2);
  const growth = median(parents.slice(half)) - median(parents.slice(0, half));
  console.log(
    `${IMAGES} images in ${seconds.toFixed(0)} s: decoders ${Math.min(...decoders).toFixed(0)} to ${Math.max(...decoders).toFixed(0)} MiB ` +
      `(median ${median(decoders).toFixed(0)}), parent ${median(parents.slice(0, half)).toFixed(0)} MiB in the first half, ${growth.toFixed(1)} MiB more in the second`,
  );
  expect(Math.max(...decoders)).toBeLessThan(256);
  expect(growth).toBeLessThan(16);
});
