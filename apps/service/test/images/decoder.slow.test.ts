import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { createDecoder, type Decoder, type DecoderOptions } from "#images/decode/decoder.js";
import type { VariantParameters } from "#images/preset-parameters.js";
import { aTiffFile } from "#images/decode/tiff-file.js";
import { sniffImage } from "#images/sniff-image.js";
import { imageDecoder } from "#paths.js";
import { anEndlessAnimation, aPicture, hostileImages } from "../fixtures/hostile-images.js";

const MEMORY_BYTES = 512 * 1024 ** 2;
const options = {
  processes: 2,
  program: imageDecoder,
  timeLimitMs: 60_000,
  memoryBytes: MEMORY_BYTES,
  maxJobs: 100,
};
const decoders: Decoder[] = [];
function aDecoder(changed: Partial<DecoderOptions> = {}): Decoder {
  const decoder = createDecoder({ ...options, ...changed });
  decoders.push(decoder);
  return decoder;
}
const shared = aDecoder();
afterAll(() => Promise.all(decoders.map((decoder) => decoder.close())));

const parameters: VariantParameters = { width: 100, height: 100, fit: "inside", format: "webp", quality: 80 };
const never = new AbortController().signal;

/** Sends the bytes as what they are, or, where they are nothing, as what their sender claims. */
function decode(bytes: Buffer, changed: Partial<VariantParameters> = {}, decoder = shared) {
  const format = sniffImage(bytes) ?? "jpeg";
  return decoder.decode({ bytes, format, parameters: { ...parameters, ...changed } }, never);
}

async function aVariant(bytes: Buffer, changed: Partial<VariantParameters> = {}) {
  const answer = await decode(bytes, changed);
  if (!answer.ok) throw new Error(answer.reason);
  return { ...answer, image: answer.image!, metadata: await sharp(answer.bytes).metadata() };
}

describe("a variant", () => {
  test.each([
    ["inside", 100, 100, [100, 67]],
    ["inside", 100, null, [100, 67]],
    ["inside", null, 50, [75, 50]],
    ["cover", 100, 100, [100, 100]],
    ["inside", 4000, 4000, [600, 400]],
  ] as const)("is fitted %s %s × %s", async (fit, width, height, size) => {
    const { metadata } = await aVariant(await aPicture(600, 400).jpeg().toBuffer(), { fit, width, height });
    expect([metadata.width, metadata.height]).toEqual(size);
  });

  test.each(["webp", "avif", "jpeg"] as const)("is encoded as %s", async (format) => {
    const { bytes, contentType } = await aVariant(await aPicture().png().toBuffer(), { format });
    expect(contentType).toBe(`image/${format}`);
    expect(sniffImage(Buffer.from(bytes))).toBe(format);
  });

  test.each([
    [1200, 900, 320],
    [1200, 900, 64],
    [4000, 3000, 320],
    [4000, 3000, 1600],
    [800, 600, 800],
  ])(
    "is made of a JPEG of %i × %i without its end at %i, whatever part of it is decoded",
    async (width, height, side) => {
      const whole = await aPicture(width, height).jpeg().toBuffer();
      for (const fit of ["inside", "cover"] as const)
        for (const format of ["webp", "avif", "jpeg"] as const) {
          const { metadata } = await aVariant(whole.subarray(0, -2), {
            width: side,
            height: side,
            fit,
            format,
          });
          expect(metadata.width).toBe(Math.min(side, fit === "cover" ? Math.min(width, side) : width));
        }
    },
  );

  test.each([
    ["without the marker of its end", 1, false],
    ["that lacks its lower half", 0.5, false],
    ["that lacks most of its scans", 0.3, true],
  ])("is made of a JPEG %s, as browsers show it", async (_, part, progressive) => {
    const photo = await aNoisyPicture(400, 300).jpeg({ progressive }).toBuffer();
    const cut = photo.subarray(0, part === 1 ? photo.length - 2 : photo.length * part);
    const { bytes, metadata, image } = await aVariant(cut);
    expect(metadata).toMatchObject({ width: 100, height: 75 });
    expect(image).toMatchObject({ width: 400, height: 300 });
    const top = { left: 0, top: 0, width: 100, height: 20 };
    const [whole, shown] = await Promise.all(
      [(await aVariant(photo)).bytes, bytes].map(async (each) =>
        sharp(await sharp(each).extract(top).png().toBuffer()).stats(),
      ),
    );
    for (const [n, { mean }] of shown!.channels.entries())
      expect(mean).toBeCloseTo(whole!.channels[n]!.mean, -1);
  });

  test("is made of an AVIF whose first brand names the container, and of a TIFF with offsets of 64 bits", async () => {
    const avif = await aPicture(60, 40).avif().toBuffer();
    avif.write("mif1", 8, "latin1");
    for (const bytes of [avif, await aPicture(60, 40).tiff({ bigtiff: true }).toBuffer()])
      expect((await aVariant(bytes)).metadata).toMatchObject({ width: 60, height: 40 });
  });

  test.each(["jpeg", "png", "webp", "gif", "avif", "tiff"] as const)("is made of %s", async (format) => {
    const { image } = await aVariant(await aPicture(60, 40).toFormat(format).toBuffer());
    expect(image).toMatchObject({ width: 60, height: 40 });
  });

  test("is turned as the camera was held, and has no place, camera or date", async () => {
    const original = await aPicture(60, 40)
      .withExif({ IFD0: { Make: "Camera", Orientation: "6" }, IFD3: { GPSLatitude: "52/1 30/1 0/1" } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const before = await sharp(original).metadata();
    expect(before).toMatchObject({ orientation: 6, exif: expect.any(Buffer) as Buffer });
    const { metadata, image } = await aVariant(original);
    expect(image).toMatchObject({ width: 40, height: 60 });
    expect([metadata.width, metadata.height]).toEqual([40, 60]);
    expect(metadata).not.toHaveProperty("exif");
    expect(metadata).not.toHaveProperty("orientation");
  });

  test("keeps the color profile of the original, and converts what is not RGB", async () => {
    const wide = await aPicture().withIccProfile("p3").jpeg().toBuffer();
    const { metadata } = await aVariant(wide);
    expect(metadata.icc?.equals((await sharp(wide).metadata()).icc!)).toBe(true);
    const cmyk = await aPicture().toColourspace("cmyk").withIccProfile("cmyk").jpeg().toBuffer();
    expect((await sharp(cmyk).metadata()).space).toBe("cmyk");
    const printed = await aVariant(cmyk);
    expect(printed.metadata).toMatchObject({ space: "srgb", icc: expect.any(Buffer) as Buffer });
  });

  test("has the first picture of an animation", async () => {
    const { metadata } = await aVariant(await anEndlessAnimation(20_000));
    expect(metadata).toMatchObject({ width: 60, height: 40 });
    expect(metadata.pages ?? 1).toBe(1);
  });

  test.each(["gif", "webp"] as const)(
    "is an animation of %s, with its times, if the preset wants it",
    async (format) => {
      const original = await anAnimation(5, format);
      const { metadata, image } = await aVariant(original, { animated: true, width: 30 });
      expect(metadata).toMatchObject({
        pages: 5,
        width: 30,
        height: 20,
        delay: Array(5).fill(70),
        loop: 3,
      });
      expect(image).toMatchObject({ width: 60, height: 40 });
      expect((await aVariant(original)).metadata.pages ?? 1).toBe(1);
      expect((await aVariant(original, { animated: true, format: "avif" })).metadata.pages ?? 1).toBe(1);
      const cover = await aVariant(original, { animated: true, width: 20, height: 20, fit: "cover" });
      expect(cover.metadata).toMatchObject({ pages: 5, width: 20, height: 20 });
    },
  );

  test("has the first picture of an animation that is too long, and is made of a damaged one", async () => {
    const long = await aVariant(await anEndlessAnimation(400), { animated: true });
    expect(long.metadata.pages ?? 1).toBe(1);
    const whole = await anAnimation(5, "gif");
    const damaged = await aVariant(whole.subarray(0, whole.length * 0.7), { animated: true });
    expect(damaged.metadata.width).toBe(60);
  });

  test("is made of a photo of 49 megapixels within the limit of memory", async () => {
    const photo = await aPicture(7000, 7000).jpeg().toBuffer();
    expect((await aVariant(photo, { format: "avif", width: 2048, height: 2048 })).image?.width).toBe(7000);
    const interlaced = await aPicture(7000, 7000).png({ progressive: true }).toBuffer();
    expect((await aVariant(interlaced)).image?.width).toBe(7000);
  });

  test("is made of a photo of 12 megapixels as AVIF of the largest size", { timeout: 540_000 }, async () => {
    const noise = await aNoisyPicture(1024, 768).png().toBuffer();
    const photo = await sharp(noise).resize(4096, 3072).jpeg().toBuffer();
    const { metadata } = await aVariant(photo, { format: "avif", width: 4096, height: 4096 });
    expect([metadata.width, metadata.height]).toEqual([4096, 3072]);
  });

  test.each([
    ["opaque", 1, 3549],
    ["transparent", 0.5, 2828],
  ])("is smaller than asked for if it is a very large %s AVIF", async (_, alpha, side) => {
    const square = aPicture(4096, 4096);
    const picture = await (alpha < 1 ? square.ensureAlpha(alpha) : square).png().toBuffer();
    const { metadata } = await aVariant(picture, { format: "avif", width: 4096, height: null });
    expect(metadata).toMatchObject({ width: side, height: side, hasAlpha: alpha < 1 });
  });

  test("is an AVIF of the largest size of a progressive JPEG of 48 megapixels", async () => {
    const photo = await aPicture(8000, 6000)
      .jpeg({ progressive: true, chromaSubsampling: "4:4:4" })
      .toBuffer();
    const { metadata } = await aVariant(photo, { format: "avif", width: 4096, height: 4096 });
    expect([metadata.width, metadata.height]).toEqual([4096, 3072]);
  });

  test.each([
    ["108 megapixels", 12_000, 9000, {}],
    ["a panorama", 30_000, 2000, {}],
    ["56 megapixels, progressive", 8000, 7000, { progressive: true, chromaSubsampling: "4:4:4" }],
  ])("is made of a JPEG of %s within the limits", { timeout: 120_000 }, async (_, width, height, options) => {
    const photo = await aPicture(width, height).jpeg(options).toBuffer();
    const largest = { format: "avif", width: 4096, height: 4096 } as const;
    expect((await aVariant(photo, largest)).image).toMatchObject({ width, height });
  });

  test.each([
    [
      12_000,
      8000,
      "jpeg",
      { progressive: true },
      "a progressive JPEG may have at most 60 megapixels, and this one has 96",
    ],
    [12_000, 9000, "png", {}, "a PNG may have at most 100 megapixels, and this one has 108"],
    [
      10_000,
      5001,
      "png",
      { progressive: true },
      "an interlaced PNG may have at most 50 megapixels, and this one has 51",
    ],
    [9000, 6000, "webp", { effort: 0 }, "a WebP may have at most 50 megapixels, and this one has 54"],
  ] as const)("is refused of %d × %d as %s with %j: %s", async (width, height, format, options, reason) => {
    const photo = await aPicture(width, height).toFormat(format, options).toBuffer();
    expect(await decode(photo)).toEqual({ ok: false, reason });
  });

  test("has P3 instead of a profile above 10 kB", async () => {
    const picture = await aPicture().withIccProfile("p3").jpeg().toBuffer();
    const { icc } = await sharp(picture).metadata();
    // A text that only programs read: tags may follow those that they need.
    const large = Buffer.concat([icc!, Buffer.alloc(20_000)]);
    large.writeUInt32BE(large.length);
    const { pixels, bytes } = aTiffFile({ width: 60, height: 40, channels: 3 }, large);
    pixels.data.fill(120);
    expect((await sharp(bytes).metadata()).icc).toHaveLength(large.length);
    expect((await aVariant(bytes)).metadata.icc!.length).toBeLessThan(1000);
  });

  test.each([
    ["a drawing as PNG", "webp", 5000],
    ["a JPEG of low quality", "jpeg", 60_000],
  ] as const)("is not larger than %s", async (_, format, atMost) => {
    const drawing =
      '<svg width="800" height="600"><path d="M0 0L800 600M800 0L0 600M400 0V600" stroke="#036" stroke-width="3"/></svg>';
    const original =
      format === "webp"
        ? await sharp(Buffer.from(drawing))
            .flatten({ background: "#fff" })
            .png({ palette: true, colours: 4 })
            .toBuffer()
        : await aNoisyPicture(800, 600).jpeg({ quality: 45 }).toBuffer();
    expect(original.length).toBeLessThan(atMost);
    const { bytes } = await aVariant(original, { format, width: 800, height: 600, quality: 90 });
    expect(bytes.length).toBeLessThanOrEqual(original.length);
  });

  test("with cover is no larger than a small original, and has its shape where it is too small", async () => {
    const cover = { fit: "cover", width: 256, height: 256 } as const;
    const { metadata } = await aVariant(await aPicture(200, 100).png().toBuffer(), cover);
    expect([metadata.width, metadata.height]).toEqual([200, 100]);
    const tall = await aVariant(await aPicture(200, 1000).png().toBuffer(), cover);
    expect([tall.metadata.width, tall.metadata.height]).toEqual([200, 256]);
  });

  test("comes with a placeholder of a few bytes", async () => {
    const { image } = await aVariant(await aPicture().jpeg().toBuffer());
    expect(Buffer.from(image!.placeholder, "base64").length).toBeLessThan(40);
  });
});

test("one process answers all hostile images with a reason, one after the other, and continues", async () => {
  const decoder = aDecoder();
  await decode(await aPicture().png().toBuffer(), {}, decoder);
  const [pid] = decoder.pids();
  for (const [name, bytes] of hostileImages) {
    const answer = await decode(bytes, {}, decoder);
    expect([name, answer]).toMatchObject([name, { ok: false, reason: expect.any(String) as string }]);
    expect([name, decoder.pids()]).toEqual([name, [pid]]);
  }
  expect((await decode(await aPicture().png().toBuffer(), {}, decoder)).ok).toBe(true);
  expect(peakMemory(pid!)).toBeLessThan(MEMORY_BYTES);
});

describe("a verdict about an image", () => {
  test.each([
    ["avif", 64],
    ["webp", 8],
    ["png", 16],
  ] as const)(
    "is not made of %s that gets %d MB of memory",
    { timeout: 120_000 },
    async (format, megabytes) => {
      const picture = aPicture(4000, 3000);
      const photo = await picture
        .toFormat(format, format === "png" ? { progressive: true } : { effort: 0 })
        .toBuffer();
      const starved = aDecoder({ memoryBytes: megabytes * 1024 ** 2 });
      await expect(decode(photo, {}, starved)).rejects.toMatchObject({ name: "DecoderFailedError" });
      expect(await decode(photo)).toMatchObject({ ok: true });
    },
  );

  test.each([64, 128, 256])(
    "is not made by an AVIF encoder that gets %d MB of memory",
    { timeout: 120_000 },
    async (megabytes) => {
      const photo = await aPicture(4000, 3000).jpeg().toBuffer();
      const starved = aDecoder({ memoryBytes: megabytes * 1024 ** 2 });
      const encoding = decode(photo, { format: "avif", width: 4096, height: 4096 }, starved);
      await expect(encoding).rejects.toMatchObject({ kind: "memory" });
    },
  );

  test("is made of an AVIF of 24 megapixels that was cut off", { timeout: 120_000 }, async () => {
    const photo = await aPicture(6000, 4000).avif({ effort: 0 }).toBuffer();
    expect(await decode(photo)).toMatchObject({ ok: true });
    expect(await decode(photo.subarray(0, photo.length / 2))).toMatchObject({ ok: false });
  });

  test.each(["png", "webp", "gif", "avif", "tiff"] as const)(
    "is made of %s that was cut off",
    async (format) => {
      // Small, because some encoders take long for noise.
      const photo = await aNoisyPicture(400, 300).toFormat(format).toBuffer();
      expect(await decode(photo.subarray(0, photo.length / 10))).toMatchObject({ ok: false });
    },
  );
});

/** As the sensor of a camera sees it: a picture of one color is much less work for an encoder. */
const aNoisyPicture = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: "#c63",
      noise: { type: "gaussian", mean: 128, sigma: 20 },
    },
  });

async function anAnimation(frames: number, format: "gif" | "webp"): Promise<Buffer> {
  const colors = ["#c63", "#36c", "#6c3", "#c36", "#63c"];
  const pictures = colors.slice(0, frames).map((background) =>
    sharp({ create: { width: 60, height: 40, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  const options = { delay: Array<number>(frames).fill(70), loop: 3 };
  return sharp(await Promise.all(pictures), { join: { animated: true } })
    .toFormat(format, options)
    .toBuffer();
}

/** The most memory that a process has had. */
function peakMemory(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))!;
  return Number(kilobytes) * 1024;
}

test("a decoder proves that it works and that its memory is limited", async () => {
  const decoder = aDecoder();
  expect(await decoder.check(never)).toEqual({ problem: null, details: null, isMemoryLimited: true });
  const [pid] = decoder.pids();
  expect(await decoder.check(never)).toMatchObject({ problem: null });
  expect(decoder.pids()).toEqual([pid]);
  const [, limit] = /^Max data size\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, "utf8"))!;
  const [, used] = /VmData:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))!;
  expect(Number(limit) - Number(used) * 1024).toBeLessThan(MEMORY_BYTES + 64 * 1024 ** 2);
});

const program = (name: string) => fileURLToPath(new URL(`../fixtures/decoders/${name}.mjs`, import.meta.url));

describe("a process that does not answer", () => {
  test("is killed when its time is over, and the next image has another one", async () => {
    const decoder = aDecoder({ program: program("hangs"), timeLimitMs: 300 });
    await expect(decode(Buffer.from("x"), {}, decoder)).rejects.toMatchObject({ kind: "time" });
    expect(decoder.pids()).toEqual([]);
    await expect(decode(Buffer.from("x"), {}, decoder)).rejects.toThrow("300 ms of CPU time");
  });

  test("may wait for a busy machine, and is killed when it is stuck", async () => {
    const decoder = aDecoder({ program: program("sleeps"), timeLimitMs: 50, stuckLimitMs: 1000 });
    const startedAt = performance.now();
    await expect(decode(Buffer.from("x"), {}, decoder)).rejects.toMatchObject({
      kind: "time",
      message: "the decoder did not answer within 1000 ms",
    });
    expect(performance.now() - startedAt).toBeGreaterThan(1000);
    expect(decoder.pids()).toEqual([]);
  });

  test("fails one image if it is killed", async () => {
    const decoder = aDecoder();
    const picture = await aPicture().png().toBuffer();
    await decode(picture, {}, decoder);
    const killed = decode(picture, {}, decoder);
    process.kill(decoder.pids()[0]!, "SIGKILL");
    await expect(killed).rejects.toMatchObject({ kind: "crashed" });
    expect((await decode(picture, {}, decoder)).ok).toBe(true);
  });

  test("is killed by the system if it takes more memory than allowed", async () => {
    const decoder = aDecoder({ program: program("takes-memory") });
    await expect(decode(Buffer.from("x"), {}, decoder)).rejects.toMatchObject({ kind: "memory" });
  });

  test("fails one image if it sends nonsense", async () => {
    const decoder = aDecoder({ program: program("lies") });
    await expect(decode(Buffer.from("x"), {}, decoder)).rejects.toMatchObject({
      kind: "crashed",
      message: "the decoder sent no answer",
    });
  });

  test("is refused its images if it does not start, and no image is to blame", async () => {
    const decoder = aDecoder({ program: program("missing") });
    const failure = await decode(await aPicture().png().toBuffer(), {}, decoder).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ name: "DecoderFailedError", kind: "unavailable" });
    expect(await decoder.check(never)).toMatchObject({
      problem: expect.stringContaining("no decoder starts") as string,
      details: expect.stringContaining("Cannot find module") as string,
    });
  });

  test("ends when the worker stops", async () => {
    const decoder = aDecoder({ program: program("hangs") });
    const stopping = new AbortController();
    const request = { bytes: Buffer.from("x"), format: "jpeg", parameters } as const;
    const hanging = decoder.decode(request, stopping.signal);
    await expect.poll(() => decoder.pids().length).toBe(1);
    stopping.abort();
    await expect(hanging).rejects.toBe(stopping.signal.reason);
  });
});

test("images wait for a process, and those of a worker that stops meanwhile are not decoded", async () => {
  const one = aDecoder({ processes: 1 });
  const picture = await aPicture().png().toBuffer();
  const answers = await Promise.all([1, 2, 3].map(() => decode(picture, {}, one)));
  expect(answers.every(({ ok }) => ok)).toBe(true);
  expect(one.pids()).toHaveLength(1);

  const hanging = aDecoder({ processes: 1, program: program("hangs") });
  const stopping = new AbortController();
  const request = { bytes: picture, format: "png", parameters } as const;
  const calls = Promise.allSettled([1, 2].map(() => hanging.decode(request, stopping.signal)));
  await expect.poll(() => hanging.pids().length).toBe(1);
  stopping.abort();
  expect(await calls).toMatchObject([{ reason: { name: "AbortError" } }, { reason: { name: "AbortError" } }]);
  expect(hanging.pids()).toEqual([]);
});

test("a process is replaced after some images", async () => {
  const decoder = aDecoder({ maxJobs: 2 });
  const picture = await aPicture().png().toBuffer();
  const pids = [];
  for (let n = 0; n < 3; n++) {
    await decode(picture, {}, decoder);
    pids.push(decoder.pids()[0]);
  }
  expect(pids[0]).toBeGreaterThan(0);
  expect(pids[1]).toBeUndefined();
  expect(pids[2]).not.toBe(pids[0]);
});

test("a process has no setting of the worker", async () => {
  const decoder = aDecoder();
  const secret = randomUUID();
  process.env["PLANTED_SECRET"] = secret;
  await decode(await aPicture().png().toBuffer(), {}, decoder);
  delete process.env["PLANTED_SECRET"];
  const environment = readFileSync(`/proc/${decoder.pids()[0]}/environ`, "latin1");
  expect(environment).not.toContain(secret);
  expect(environment).toContain("NODE_CHANNEL_FD");
});
