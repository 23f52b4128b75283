import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { createDecoder } from "#images/decode/decoder.js";
import type { VariantParameters } from "#images/preset-parameters.js";
import { sniffImage } from "#images/sniff-image.js";
import { aPdf, aStream, type PdfOptions } from "../fixtures/a-pdf.js";
import { decoderOptions } from "../fixtures/an-image-project.js";

const decoder = createDecoder({ ...decoderOptions, processes: 1 });
afterAll(() => decoder.close());
const never = new AbortController().signal;
const parameters: VariantParameters = { width: 400, height: 400, fit: "inside", format: "jpeg", quality: 95 };

function decode(bytes: Buffer, changed: Partial<VariantParameters> = {}) {
  expect(sniffImage(bytes)).toBe("pdf");
  return decoder.decode({ bytes, format: "pdf", parameters: { ...parameters, ...changed } }, never);
}

async function aVariant(pdf: PdfOptions | Buffer, changed: Partial<VariantParameters> = {}) {
  const answer = await decode(Buffer.isBuffer(pdf) ? pdf : aPdf(pdf), changed);
  if (!answer.ok) throw new Error(answer.reason);
  const { data, info } = await sharp(answer.bytes).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const from = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    return colorOf([...data.subarray(from, from + 3)]);
  };
  const size = [info.width, info.height];
  return { ...answer, size, at, corners: [at(0.1, 0.1), at(0.9, 0.1), at(0.1, 0.9), at(0.9, 0.9)] };
}

function colorOf([red = 0, green = 0, blue = 0]: number[]): string {
  if (Math.min(red, green, blue) > 200) return "white";
  if (Math.max(red, green, blue) < 60) return "black";
  return red > green && red > blue ? "red" : green > blue ? "green" : "blue";
}

const UPRIGHT = ["red", "green", "blue", "white"];

describe("a variant of a PDF", () => {
  test("shows its first page on white, and tells no size, because a page has no pixels", async () => {
    const { corners, image } = await aVariant({});
    expect(corners).toEqual(UPRIGHT);
    expect(image).toBeNull();
  });

  test.each([
    ["inside", 400, 400, [283, 400]],
    ["inside", 400, null, [400, 566]],
    ["inside", null, 100, [71, 100]],
    ["cover", 400, 400, [400, 400]],
    ["inside", 4096, 4096, [2894, 4096]],
  ] as const)("fits a letter %s %s × %s", async (fit, width, height, size) => {
    const letter = { mediaBox: [0, 0, 595, 842] } as const;
    expect((await aVariant(letter, { fit, width, height })).size).toEqual(size);
  });

  test.each(["webp", "avif", "jpeg"] as const)("is made as %s", async (format) => {
    expect((await aVariant({}, { format })).corners).toEqual(UPRIGHT);
  });

  test.each([
    ["/Rotate 90", ["blue", "red", "white", "green"]],
    ["/Rotate 180", ["white", "blue", "green", "red"]],
    ["/Rotate -90", ["green", "white", "red", "blue"]],
    ["/CropBox [0 100 100 200]", ["red", "red", "red", "red"]],
    ["/CropBox [50 50 250 150]", ["red", "green", "blue", "white"]],
  ])("respects %s", async (page, corners) => {
    expect((await aVariant({ page })).corners).toEqual(corners);
  });

  test("has the letters of fonts that are not embedded", async () => {
    for (const font of ["F1", "F2"]) {
      const content = `BT /${font} 300 Tf 20 0 Td (M) Tj ET`;
      const { bytes } = await aVariant({ content, mediaBox: [0, 0, 300, 220] });
      const { channels } = await sharp(bytes).stats();
      expect(channels[0]!.mean).toBeLessThan(200);
      expect(channels[0]!.min).toBeLessThan(20);
    }
  });

  test("has annotations, and what a form is filled with", async () => {
    const appearance = aStream(
      "/Type /XObject /Subtype /Form /BBox [0 0 50 50]",
      Buffer.from("0 g 0 0 50 50 re f"),
    );
    const annotation = (subtype: string, left: number) =>
      `<< /Type /Annot /Subtype /${subtype} /FT /Tx /T (a) /F 4 /Rect [${left} 0 ${left + 50} 50] /AP << /N 9 0 R >> >>`;
    const { at } = await aVariant({
      content: "",
      page: "/Annots [7 0 R 8 0 R]",
      catalog: "/AcroForm << /Fields [8 0 R] >>",
      objects: [annotation("Stamp", 0), annotation("Widget", 150), appearance],
    });
    expect([at(0.1, 0.9), at(0.9, 0.9), at(0.5, 0.5)]).toEqual(["black", "black", "white"]);
  });

  test.each([
    ["other bytes before its header", Buffer.concat([Buffer.alloc(900, "HTTP/1.1 200 OK\r\n"), aPdf()])],
    [
      "offsets that are wrong",
      Buffer.from(
        aPdf()
          .toString("latin1")
          .replace(/000000\d{4} 00000 n/g, "0000000007 00000 n"),
        "latin1",
      ),
    ],
    ["no end", aPdf().subarray(0, aPdf().indexOf("startxref"))],
    [
      "line ends that were changed",
      Buffer.from(aPdf().toString("latin1").replaceAll("\n", "\r\n"), "latin1"),
    ],
  ])("is made of a file with %s, as browsers show it", async (_, bytes) => {
    expect((await aVariant(bytes)).corners).toEqual(UPRIGHT);
  });

  test("is made of a PDF that only its owner may change", async () => {
    expect((await aVariant({ encryption: "of the owner" })).corners).toEqual(UPRIGHT);
  });

  test.each([
    [[0, 0, 14_400, 14_400], 400, null, [400, 400]],
    [[0, 0, 1, 1], 400, null, [400, 400]],
    [[0, 0, 2384, 3370], 4096, null, [2986, 4220]],
    [[0, 0, 10, 14_400], 1000, null, [11, 16_383]],
    [[0, 0, 14_400, 1], 100, 100, [100, 1]],
  ] as const)(
    "of a page %j in a preset of %s × %s stays within bounds",
    async (page, width, height, size) => {
      const wanted = { width, height, format: "webp" } as const;
      expect((await aVariant({ mediaBox: page, content: "" }, wanted)).size).toEqual(size);
    },
  );

  test("runs no script, and asks no server", async () => {
    const action = "<< /S /JavaScript /JS (while (true) app.alert(1)) >>";
    const { corners } = await aVariant({ catalog: `/OpenAction ${action}`, page: `/AA << /O ${action} >>` });
    expect(corners).toEqual(UPRIGHT);
  });
});

describe("a PDF is refused", () => {
  test.each([
    ["that can be opened only with a password", aPdf({ encryption: "of readers" }), "only with its password"],
    ["that is only a header", Buffer.from("%PDF-1.7\n"), "damaged"],
    [
      "without a page",
      Buffer.from(
        aPdf().toString("latin1").replace("/Kids [3 0 R] /Count 1", "/Kids [     ] /Count 0"),
        "latin1",
      ),
      "no first page",
    ],
    ["that a text only names", Buffer.from("A PDF begins with %PDF-1.4"), "damaged"],
  ])("%s", async (_, bytes, reason) => {
    expect(await decode(bytes)).toMatchObject({
      ok: false,
      reason: expect.stringContaining(reason) as string,
    });
  });
});

describe("the limit of memory", () => {
  test("holds for the memory of WebAssembly, and says nothing final about the file", async () => {
    const small = createDecoder({ ...decoderOptions, processes: 1, memoryBytes: 100 * 1024 ** 2 });
    const bytes = aPdf({ objects: [aStream("", Buffer.alloc(60_000_000))] });
    const failure = await small
      .decode({ bytes, format: "pdf", parameters }, never)
      .then(String, (error: unknown) => error);
    await small.close();
    expect(failure).toMatchObject({ name: "DecoderFailedError", kind: "memory" });
  });

  test("is enough for a picture of 400 megapixels", { timeout: 240_000 }, async () => {
    const side = 20_000;
    const rows = Buffer.alloc(side * 3 * 100, 0x55);
    const pixels = deflateSync(Buffer.concat(Array.from({ length: side / 100 }, () => rows)), { level: 1 });
    const picture = aStream(
      `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode`,
      pixels,
    );
    const page = { content: "q 200 0 0 200 0 0 cm /I Do Q", resources: "/XObject << /I 7 0 R >>" };
    expect(await decode(aPdf({ ...page, objects: [picture] }))).toMatchObject({ ok: true });
  });

  test("a process renders many PDFs, also large ones", { timeout: 240_000 }, async () => {
    const small = aPdf();
    const large = aPdf({ objects: [aStream("", Buffer.alloc(60_000_000))] });
    await decode(small);
    const [pid] = decoder.pids();
    for (let n = 0; n < 20; n++)
      expect(await decode(n % 4 === 0 ? large : small)).toMatchObject({ ok: true });
    expect(decoder.pids()).toEqual([pid]);
  });

  test("a page of 12.6 megapixels is encoded as AVIF", { timeout: 240_000 }, async () => {
    const { size } = await aVariant(
      { mediaBox: [0, 0, 400, 300] },
      { width: 4096, height: 4096, format: "avif" },
    );
    expect(size).toEqual([4096, 3072]);
  });
});
