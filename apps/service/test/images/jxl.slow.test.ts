import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { createDecoder } from "#images/decode/decoder.js";
import type { VariantParameters } from "#images/preset-parameters.js";
import { sniffImage } from "#images/sniff-image.js";
import { decoderOptions } from "../fixtures/an-image-project.js";

const decoder = createDecoder(decoderOptions);
afterAll(() => decoder.close());
const never = new AbortController().signal;
const parameters: VariantParameters = { width: 32, height: 32, fit: "inside", format: "webp", quality: 90 };

function decode(bytes: Buffer) {
  expect(sniffImage(bytes)).toBe("jxl");
  return decoder.decode({ bytes, format: "jxl", parameters }, never);
}

/** Our own picture of 64 × 64 pixels, which is red, green, blue and white (`cjxl -d 0`): sharp has no encoder of JPEG XL. */
const codestream = Buffer.from(
  "/wpPQEBxIQgCAQDAAEs4aZjKg/crSAiAenY/xo0/FwgCQKpxJAI4adgLEtj6AeiBAwlsvyMzTGhu567yEA==",
  "base64",
);

function box(type: string, content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(content.length + 8);
  return Buffer.concat([size, Buffer.from(type, "latin1"), content]);
}

const container = Buffer.concat([
  box("JXL ", Buffer.from("\r\n\x87\n", "latin1")),
  box("ftyp", Buffer.from("jxl \0\0\0\0jxl ", "latin1")),
  box("jxlc", codestream),
]);

test.each([
  ["alone", codestream],
  ["in a container", container],
])("a variant is made of JPEG XL %s", async (_, bytes) => {
  const answer = await decode(bytes);
  if (!answer.ok) throw new Error(answer.reason);
  expect(answer.image).toMatchObject({ width: 64, height: 64 });
  const pixels = await sharp(answer.bytes).removeAlpha().raw().toBuffer();
  const [red, green] = pixels.subarray((8 * 32 + 8) * 3);
  expect(red).toBeGreaterThan(200);
  expect(green).toBeLessThan(60);
});

/** The header of a picture of 262,144 rows, as wide as high, and nothing else. */
const large = Buffer.from("ff0afcff3f00000000", "hex");

test.each([
  ["that is cut off", codestream.subarray(0, codestream.length / 2), "this JPEG XL is damaged"],
  ["with nothing but a signature", Buffer.from([0xff, 0x0a]), "this JPEG XL is damaged"],
  ["whose container is empty", container.subarray(0, 32), "this JPEG XL has no picture"],
])("JPEG XL %s is refused", async (_, bytes, reason) => {
  expect(await decode(bytes)).toEqual({ ok: false, reason });
});

test("JPEG XL with too many pixels is refused before it is decoded", async () => {
  const answer = await decode(large);
  expect(answer).toMatchObject({ ok: false });
  expect(answer).toHaveProperty(
    "reason",
    expect.stringContaining("a JPEG XL may have at most 12.2 megapixels"),
  );
});
