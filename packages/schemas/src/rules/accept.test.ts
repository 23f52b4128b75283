import { describe, expect, test } from "vitest";
import { mayAccept } from "./accept.js";
import { accepts } from "./accepts.js";
import { mediaTypeOfName } from "./media-types.js";

const file = (name: string, type = "") => ({ name, type });

test("accepts by extension, by type and by group of types", () => {
  expect(accepts(".pdf", file("Report.PDF"))).toBe(true);
  expect(accepts("application/pdf", file("x", "application/pdf"))).toBe(true);
  expect(accepts("image/*", file("x", "image/png"))).toBe(true);
  expect(accepts("text/plain", file("x", "text/plain;charset=utf-8"))).toBe(true);
});

test("refuses a file that matches no token", () => {
  expect(accepts("image/*,.pdf", file("x.txt", "text/plain"))).toBe(false);
  expect(accepts("image/*", file("png"))).toBe(false);
  expect(accepts("image/*", file("x", "imagery/png"))).toBe(false);
  expect(accepts(".jpg", file("jpg"))).toBe(false);
  expect(accepts(".pdf", file("invoice.pdf.exe"))).toBe(false);
});

test("treats a list like a string, and an empty accept as every file", () => {
  expect(accepts([" .PDF ", "image/*"], file("a.pdf"))).toBe(true);
  for (const all of [undefined, "", [], "*", "*/*"]) expect(accepts(all, file("x"))).toBe(true);
});

/** Types that browsers and systems send beside the one that the service derives from the name. */
const SENT = {
  "a.zip": ["application/x-zip-compressed", "application/x-zip", "application/octet-stream", ""],
  "a.csv": ["application/vnd.ms-excel", "text/plain", "application/csv", "text/x-csv", ""],
  "a.m4a": ["audio/x-m4a", "audio/m4a", "video/mp4", ""],
  "a.mkv": ["video/matroska", "video/x-matroska", ""],
  "a.xml": ["text/xml", "application/xml", ""],
  "a.flac": ["audio/flac", "audio/x-flac", "application/flac", ""],
  "a.js": ["application/javascript", "text/javascript", "application/x-javascript", ""],
  "a.ogg": ["audio/ogg", "video/ogg", "application/ogg", ""],
  "a.ico": ["image/x-icon", "image/vnd.microsoft.icon", ""],
  "a.heic": ["image/heif", "image/heic", "application/octet-stream", ""],
  "a.gz": ["application/x-gzip", "application/gzip", ""],
  "a.rar": ["application/x-rar-compressed", "application/x-compressed", "application/vnd.rar", ""],
  "a.wav": ["audio/x-wav", "audio/wave", "audio/vnd.wave", ""],
  "a.aac": ["audio/vnd.dlna.adts", "audio/x-aac", ""],
  "a.rtf": ["application/msword", "text/rtf", ""],
  "a.avi": ["video/avi", "video/vnd.avi", "video/msvideo", ""],
  "a.psd": ["image/x-photoshop", "application/x-photoshop", ""],
  "a.dng": ["image/tiff", "image/dng", "image/x-adobe-dng", ""],
  "a.md": ["text/plain", "text/x-markdown", ""],
  "a.ts": ["video/mp2t", "video/vnd.dlna.mpeg-tts", "text/typescript", ""],
  "a.otf": ["application/x-font-otf", "font/opentype", ""],
  "a.vcf": ["text/x-vcard", "text/directory", ""],
  "a.apng": ["image/png", ""],
  "a.svg": ["image/svg", "text/xml", ""],
  "IMG_1.HEIC": [""],
  "CLIP.MOV": [""],
  "RAW.DNG": [""],
};

describe.each(Object.entries(SENT))("%s", (name, types) => {
  test("is accepted for its own type and its group, whatever a browser sends", () => {
    const own = mediaTypeOfName(name)!;
    for (const type of types)
      for (const token of [own, own.replace(/\/.*/, "/*")])
        expect([token, type, accepts(token, file(name, type)), mayAccept(token, file(name, type))]).toEqual([
          token,
          type,
          true,
          true,
        ]);
  });
});

test.each([
  ["application/x-zip-compressed", "a.zip", "application/zip"],
  ["application/vnd.ms-excel", "a.csv", "application/vnd.ms-excel"],
  ["image/jpg", "a.jpg", "image/jpeg"],
  ["image/jpeg", "scan.jfif", "image/jpeg"],
  ["audio/x-m4a", "a.m4a", ""],
  ["video/*", "stream.ts", "video/mp2t"],
  ["image/*", "without extension", "image/x-png"],
  ["application/zip", "without extension", "application/x-zip-compressed"],
  ["text/*", "code.rs", ""],
  ["text/*", "code.py", ""],
  ["audio/*", "tune.sid", "audio/prs.sid"],
])("%s accepts %s with the type '%s'", (accept, name, type) => {
  expect(accepts(accept, file(name, type))).toBe(true);
  expect(mayAccept(accept, file(name, type))).toBe(true);
});

test("accepts subtitles that Firefox takes for sound", () => {
  expect(accepts("text/x-ssa", file("a.ass", "audio/aac"))).toBe(true);
});

test.each([
  ["text/csv", "a.xls", "application/vnd.ms-excel"],
  ["image/*", "a.exe", ""],
  ["image/*", "a.exe", "image/png"],
  ["image/*", "evil.jpg", "text/html"],
  ["image/*", "evil.html", "image/png"],
  ["image/png", "evil.svg", "image/png"],
  ["image/*", "without extension", "application/octet-stream"],
  ["application/pdf", "a.docx", "application/octet-stream"],
])("%s refuses %s with the type '%s'", (accept, name, type) => {
  expect(accepts(accept, file(name, type))).toBe(false);
});

test("without the table, only a clear contradiction is refused", () => {
  expect(mayAccept("image/*", file("x.txt", "text/plain"))).toBe(false);
  expect(mayAccept(".jpg", file("x.txt", "text/plain"))).toBe(false);
  expect(mayAccept("image/*,.txt", file("x.txt", "text/plain"))).toBe(true);
  expect(mayAccept("image/*", file("x.exe"))).toBe(true);
});
