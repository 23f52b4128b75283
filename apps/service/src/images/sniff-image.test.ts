import sharp from "sharp";
import { expect, test } from "vitest";
import { convertedImageTypes, shownImageTypes } from "@stowage/schemas/rules";
import { sniffImage } from "./sniff-image.js";
import { sourceFormats } from "./source-formats.js";

const image = () => sharp({ create: { width: 8, height: 8, channels: 3, background: "#c33" } });

test.each(["jpeg", "png", "webp", "gif", "avif", "tiff"] as const)(
  "recognizes %s by its bytes",
  async (format) => {
    expect(sniffImage(await image().toFormat(format).toBuffer())).toBe(format);
  },
);

test("recognizes an AVIF whose first brand names the container", async () => {
  const avif = await image().avif().toBuffer();
  avif.write("mif1", 8, "latin1");
  expect(sniffImage(avif)).toBe("avif");
});

test.each([
  ["mif1", ["mif1", "miaf", "avif"]],
  ["miaf", ["avif"]],
  ["msf1", ["avis"]],
  ["avis", ["msf1"]],
  ["avio", ["mif1", "avif"]],
  ["mif1", [...Array<string>(30).fill("MA1B"), "avif"]],
])("recognizes an AVIF with the brand %s and the compatible ones %j", (major, compatible) => {
  expect(sniffImage(aFtyp(major, compatible))).toBe("avif");
});

test.each([
  ["heic", ["mif1", "heic"]],
  ["heix", ["mif1"]],
  ["mif1", ["mif1", "heic"]],
  ["msf1", ["hevc"]],
  ["heic", ["avif", "mif1"]],
])("recognizes a HEIC with the brand %s and the compatible ones %j", (major, compatible) => {
  expect(sniffImage(aFtyp(major, compatible))).toBe("heic");
});

test.each([
  ["hvc1", "heic"],
  ["av01", "avif"],
])("recognizes by an item of the type %s what the brands leave open", (codec, format) => {
  const item = Buffer.from(`....infe\x02\0\0\0\0\x01\0\0${codec}`, "latin1");
  expect(sniffImage(Buffer.concat([aFtyp("mif1", ["mif1", "miaf"]), item]))).toBe(format);
});

test("recognizes a TIFF with offsets of 64 bits", async () => {
  expect(sniffImage(await image().tiff({ bigtiff: true }).toBuffer())).toBe("tiff");
});

test.each(["%PDF-1.7", "\ufeff%PDF-1.4", `${"\n".repeat(1019)}%PDF-2.0`])("recognizes a PDF", (text) => {
  expect(sniffImage(Buffer.from(text))).toBe("pdf");
});

test.each([
  ["nothing", ""],
  ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ["SVG after an XML declaration", '<?xml version="1.0"?><svg/>'],
  ["a PDF whose header comes too late", `${"\n".repeat(1024)}%PDF-1.7`],
  ["PostScript", "%!PS-Adobe"],
  ["BMP", "BM6"],
  ["a container without an item of a known codec", "\0\0\0\x14ftypmif1\0\0\0\0mif1"],
  ["a film", "\0\0\0\x18ftypisom\0\0\0\0isommp42"],
  ["a brand behind the box", "\0\0\0\x10ftypmif1\0\0\0\0avif"],
  ["an MVG script", "push graphic-context"],
  ["a page with an image further down", "<html>\xff\xd8\xff"],
  ["the start of a signature", "\x89PN"],
])("refuses %s", (_, bytes) => {
  expect(sniffImage(Buffer.from(bytes, "latin1"))).toBeNull();
});

/** A file of the ISO base media format that has nothing but its first box. */
function aFtyp(major: string, compatible: string[]): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(16 + 4 * compatible.length);
  return Buffer.concat([size, Buffer.from(`ftyp${major}\0\0\0\0${compatible.join("")}`, "latin1")]);
}

test("the types that an input may accept are those of the formats that are images", () => {
  const all = Object.values(sourceFormats).flatMap(({ types: [...each] }) => each as string[]);
  const types = all.filter((type) => type.startsWith("image/"));
  expect(types.toSorted()).toEqual([...shownImageTypes, ...convertedImageTypes].toSorted());
});
