import { gzipSync } from "node:zlib";
import { aHeif } from "@stowage/service/test/fixtures/a-heif.js";
import { aPdf } from "@stowage/service/test/fixtures/a-pdf.js";
import { aCr3, aPreview, aRaf } from "@stowage/service/test/fixtures/a-raw-file.js";
import {
  aCameraFile,
  anAnimation,
  anApng,
  anIco,
  aBmp,
  aPicture,
  box,
  cut,
  ftyp,
  withBrands,
  withoutEnd,
} from "./pictures.js";

/** What Stowage is expected to make of a file that is uploaded without a type. */
export interface Kind {
  name: string;
  /** What the table says about it, besides its name. */
  about?: string;
  bytes: () => Promise<Buffer> | Buffer;
  /** The stored type. */
  type: string;
  /** `view`: the browser may show it. `save`: it is saved, and keeps its type. `blind`: it is saved, and its type is hidden. */
  opens: "view" | "save" | "blind";
  /** The type of the answer, if it is another one than `type`. */
  served?: string;
  /** Pixels of a variant of at most 64 × 64; null if there is none. */
  variant?: string | null;
  /** Pixels of the original; null if they are not known. */
  facts?: string | null;
}

const text = (value: string) => () => Buffer.from(value);
/** The first bytes of a format, and enough others. */
const startsWith =
  (start: string | Buffer, at = 0) =>
  () =>
    Buffer.concat([Buffer.alloc(at), Buffer.from(start as string, "latin1"), Buffer.alloc(400)]);
const zip = startsWith("PK\x03\x04");
const compoundFile = startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1");
const elf = startsWith("\x7fELF");
const movie =
  (major: string, ...others: string[]) =>
  () =>
    Buffer.concat([ftyp(major, ...others), box("free", Buffer.alloc(100))]);

/** Two packets of an MPEG transport stream, each of 188 bytes. */
const transportStream = () =>
  Buffer.concat(Array.from({ length: 4 }, () => startsWith("G")().subarray(0, 188)));

const SHOWN = { opens: "view", variant: "64 × 43", facts: "120 × 80" } as const;
/** The browser does not show it, but its variant. */
const CONVERTED = { opens: "save", variant: "64 × 43", facts: "120 × 80" } as const;

const rawFile = () => aCameraFile(120, 80);
const RAW = { opens: "save", variant: "64 × 43", facts: "6000 × 4000" } as const;

const pictures: Kind[] = [
  { name: "photo.jpg", bytes: () => aPicture().jpeg().toBuffer(), type: "image/jpeg", ...SHOWN },
  {
    name: "IMG_1.JPG",
    about: "progressive",
    bytes: () => aPicture().jpeg({ progressive: true }).toBuffer(),
    type: "image/jpeg",
    ...SHOWN,
  },
  {
    name: "photo.jpeg",
    about: "grey",
    bytes: () => aPicture().greyscale().jpeg().toBuffer(),
    type: "image/jpeg",
    ...SHOWN,
  },
  {
    name: "print.jpg",
    about: "CMYK",
    bytes: () => aPicture().toColourspace("cmyk").jpeg().toBuffer(),
    type: "image/jpeg",
    ...SHOWN,
  },
  {
    name: "upright.jpg",
    about: "turned by its Exif data",
    bytes: () => aPicture().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    type: "image/jpeg",
    opens: "view",
    variant: "43 × 64",
    facts: "80 × 120",
  },
  {
    name: "wide.jpg",
    about: "with the profile Display P3",
    bytes: () => aPicture().withIccProfile("p3").jpeg().toBuffer(),
    type: "image/jpeg",
    ...SHOWN,
  },
  {
    name: "phone.jpg",
    about: "without an end marker",
    bytes: async () => withoutEnd(await aPicture().jpeg().toBuffer()),
    type: "image/jpeg",
    ...SHOWN,
  },
  {
    name: "part.jpg",
    about: "cut after two thirds",
    bytes: async () => cut(await aPicture().jpeg().toBuffer()),
    type: "image/jpeg",
    ...SHOWN,
  },
  { name: "save.jfif", bytes: () => aPicture().jpeg().toBuffer(), type: "image/jpeg", ...SHOWN },
  { name: "photo.jpe", bytes: () => aPicture().jpeg().toBuffer(), type: "image/jpeg", ...SHOWN },
  {
    name: "wrong.png",
    about: "a JPEG",
    bytes: () => aPicture().jpeg().toBuffer(),
    type: "image/png",
    ...SHOWN,
  },
  { name: "screen.png", bytes: () => aPicture().png().toBuffer(), type: "image/png", ...SHOWN },
  {
    name: "logo.png",
    about: "transparent",
    bytes: () => aPicture(4).png().toBuffer(),
    type: "image/png",
    ...SHOWN,
  },
  {
    name: "palette.png",
    about: "with a palette",
    bytes: () => aPicture().png({ palette: true }).toBuffer(),
    type: "image/png",
    ...SHOWN,
  },
  {
    name: "deep.png",
    about: "16 bits",
    bytes: () => aPicture().toColourspace("rgb16").png().toBuffer(),
    type: "image/png",
    ...SHOWN,
  },
  {
    name: "slow.png",
    about: "interlaced",
    bytes: () => aPicture().png({ progressive: true }).toBuffer(),
    type: "image/png",
    ...SHOWN,
  },
  { name: "grey.png", bytes: () => aPicture().greyscale().png().toBuffer(), type: "image/png", ...SHOWN },
  { name: "moving.apng", about: "the first frame", bytes: anApng, type: "image/apng", ...CONVERTED },
  { name: "photo.webp", bytes: () => aPicture().webp().toBuffer(), type: "image/webp", ...SHOWN },
  {
    name: "lossless.webp",
    bytes: () => aPicture(4).webp({ lossless: true }).toBuffer(),
    type: "image/webp",
    ...SHOWN,
  },
  {
    name: "moving.webp",
    about: "the first frame",
    bytes: () => anAnimation(3).webp({ loop: 0 }).toBuffer(),
    type: "image/webp",
    ...SHOWN,
  },
  { name: "still.gif", bytes: () => aPicture().gif().toBuffer(), type: "image/gif", ...SHOWN },
  {
    name: "moving.gif",
    about: "the first frame",
    bytes: () => anAnimation(3).gif().toBuffer(),
    type: "image/gif",
    ...SHOWN,
  },
  {
    name: "photo.avif",
    bytes: () => aPicture().avif({ effort: 0 }).toBuffer(),
    type: "image/avif",
    ...SHOWN,
  },
  {
    name: "deep.avif",
    about: "10 bits",
    bytes: () => aPicture().avif({ effort: 0, bitdepth: 10 }).toBuffer(),
    type: "image/avif",
    ...SHOWN,
  },
  {
    name: "clear.avif",
    about: "transparent",
    bytes: () => aPicture(4).avif({ effort: 0 }).toBuffer(),
    type: "image/avif",
    ...SHOWN,
  },
  {
    name: "container.avif",
    about: "brand mif1 first",
    bytes: async () =>
      withBrands(await aPicture().avif({ effort: 0 }).toBuffer(), "mif1", "avif", "miaf", "MA1B"),
    type: "image/avif",
    ...SHOWN,
  },
  {
    name: "IMG_1.HEIC",
    bytes: () => aHeif(),
    type: "image/heic",
    opens: "save",
    variant: "64 × 64",
    facts: "64 × 64",
  },
  {
    name: "turned.heic",
    about: "turned by a quarter",
    bytes: () => aHeif({ rotation: 1 }),
    type: "image/heic",
    opens: "save",
    variant: "64 × 64",
    facts: "64 × 64",
  },
  {
    name: "deep.heic",
    about: "10 bits",
    bytes: () => aHeif({ tiles: ["deep"] }),
    type: "image/heic",
    opens: "save",
    variant: "64 × 64",
    facts: "64 × 64",
  },
  {
    name: "tiles.heif",
    about: "a grid of four",
    bytes: () => aHeif({ grid: { columns: 2, rows: 2, width: 120, height: 80 } }),
    type: "image/heif",
    opens: "save",
    variant: "64 × 43",
    facts: "120 × 80",
  },
  {
    name: "scan.tif",
    bytes: () => aPicture().tiff({ compression: "none" }).toBuffer(),
    type: "image/tiff",
    ...CONVERTED,
  },
  {
    name: "scan.tiff",
    about: "LZW",
    bytes: () => aPicture().tiff({ compression: "lzw" }).toBuffer(),
    type: "image/tiff",
    ...CONVERTED,
  },
  {
    name: "tiled.tiff",
    about: "tiles, Deflate",
    bytes: () =>
      aPicture().tiff({ compression: "deflate", tile: true, tileWidth: 64, tileHeight: 64 }).toBuffer(),
    type: "image/tiff",
    ...CONVERTED,
  },
  {
    name: "fax.tiff",
    about: "one bit, CCITT",
    bytes: () => aPicture().toColourspace("b-w").tiff({ compression: "ccittfax4", bitdepth: 1 }).toBuffer(),
    type: "image/tiff",
    ...CONVERTED,
  },
  {
    name: "large.tiff",
    about: "BigTIFF",
    bytes: () => aPicture().tiff({ bigtiff: true }).toBuffer(),
    type: "image/tiff",
    ...CONVERTED,
  },
  { name: "IMG_1.NEF", about: "Nikon, by its preview", bytes: rawFile, type: "image/x-nikon-nef", ...RAW },
  { name: "IMG_1.ARW", about: "Sony, by its preview", bytes: rawFile, type: "image/x-sony-arw", ...RAW },
  { name: "IMG_1.DNG", about: "by its preview", bytes: rawFile, type: "image/x-adobe-dng", ...RAW },
  {
    name: "IMG_1.RAF",
    about: "Fujifilm, by its preview",
    bytes: async () => aRaf([6240, 4160], [await aPreview(120, 80)]),
    type: "image/x-fuji-raf",
    ...RAW,
    facts: "6240 × 4160",
  },
  {
    name: "IMG_1.CR3",
    about: "Canon, without a preview",
    bytes: () => aCr3([{ entries: [] }, { entries: [] }], []),
    type: "image/x-canon-cr3",
    opens: "save",
  },
  { name: "icon.bmp", bytes: aBmp, type: "image/bmp", opens: "view" },
  { name: "favicon.ico", bytes: anIco, type: "image/vnd.microsoft.icon", opens: "save" },
  {
    name: "drawing.svg",
    bytes: text('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    type: "image/svg+xml",
    opens: "blind",
  },
  { name: "drawing.svgz", bytes: () => gzipSync("<svg/>"), type: "image/svg+xml", opens: "blind" },
  { name: "photo.jxl", about: "damaged", bytes: startsWith("\xff\x0a"), type: "image/jxl", opens: "save" },
  { name: "photo.jp2", bytes: startsWith("\0\0\0\x0cjP  \r\n\x87\n"), type: "image/jp2", opens: "save" },
  { name: "poster.psd", bytes: startsWith("8BPS\0\x01"), type: "image/vnd.adobe.photoshop", opens: "save" },
  { name: "sky.hdr", bytes: text("#?RADIANCE\n"), type: "image/vnd.radiance", opens: "save" },
  { name: "sky.exr", bytes: startsWith("v/1\x01"), type: "image/aces", opens: "save" },
  { name: "letter.jpg", about: "no picture", bytes: text("Dear Ada,"), type: "image/jpeg", opens: "view" },
  { name: "empty.png", about: "no bytes", bytes: () => Buffer.alloc(0), type: "image/png", opens: "view" },
];

const documents: Kind[] = [
  { name: "invoice.pdf", bytes: () => aPdf(), type: "application/pdf", opens: "view", variant: "64 × 64" },
  {
    name: "sideways.PDF",
    about: "turned",
    bytes: () => aPdf({ mediaBox: [0, 0, 120, 80], page: "/Rotate 90" }),
    type: "application/pdf",
    opens: "view",
    variant: "43 × 64",
  },
  {
    name: "locked.pdf",
    about: "with a password",
    bytes: () => aPdf({ encryption: "of readers" }),
    type: "application/pdf",
    opens: "view",
  },
  { name: "note.txt", bytes: text("plain words"), type: "text/plain", opens: "view" },
  {
    name: "umlaut.txt",
    about: "UTF-8",
    bytes: text("Grüße aus Köln"),
    type: "text/plain",
    opens: "view",
    served: "text/plain; charset=utf-8",
  },
  {
    name: "windows.txt",
    about: "Windows-1252",
    bytes: () => Buffer.from("Gr\xfc\xdfe", "latin1"),
    type: "text/plain",
    opens: "view",
  },
  {
    name: "wide.txt",
    about: "UTF-16 with a byte order mark",
    bytes: () => Buffer.from("\ufeffGrüße", "utf16le"),
    type: "text/plain",
    opens: "view",
  },
  {
    name: "server.log",
    about: "UTF-8",
    bytes: text("started – ready"),
    type: "text/plain",
    opens: "view",
    served: "text/plain; charset=utf-8",
  },
  {
    name: "data.csv",
    about: "UTF-8",
    bytes: text("Name;Ort\nJürgen;Köln\n"),
    type: "text/csv",
    opens: "view",
    served: "text/plain; charset=utf-8",
  },
  {
    name: "excel.csv",
    about: "Windows-1252",
    bytes: () => Buffer.from("Name;Ort\nJ\xfcrgen;K\xf6ln\n", "latin1"),
    type: "text/csv",
    opens: "view",
    served: "text/plain",
  },
  {
    name: "data.tsv",
    bytes: text("a\tb\n"),
    type: "text/tab-separated-values",
    opens: "view",
    served: "text/plain",
  },
  {
    name: "notes.md",
    bytes: text("# Notes – today"),
    type: "text/markdown",
    opens: "view",
    served: "text/plain; charset=utf-8",
  },
];

/** Name, type, how it opens, and the bytes it starts with. None of them has a variant. */
const others: [name: string, type: string, opens: Kind["opens"], bytes: () => Buffer][] = [
  // Office
  ["report.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "save", zip],
  ["table.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "save", zip],
  ["talk.pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation", "save", zip],
  ["macros.xlsm", "application/vnd.ms-excel.sheet.macroenabled.12", "save", zip],
  ["old.doc", "application/msword", "save", compoundFile],
  ["old.xls", "application/vnd.ms-excel", "save", compoundFile],
  ["old.ppt", "application/vnd.ms-powerpoint", "save", compoundFile],
  ["mail.msg", "application/vnd.ms-outlook", "save", compoundFile],
  ["plan.mpp", "application/vnd.ms-project", "save", compoundFile],
  ["shapes.vsdx", "application/vnd.visio", "save", zip],
  ["letter.odt", "application/vnd.oasis.opendocument.text", "save", zip],
  ["table.ods", "application/vnd.oasis.opendocument.spreadsheet", "save", zip],
  ["talk.odp", "application/vnd.oasis.opendocument.presentation", "save", zip],
  ["essay.pages", "application/vnd.apple.pages", "save", zip],
  ["budget.numbers", "application/vnd.apple.numbers", "save", zip],
  ["talk.key", "application/vnd.apple.keynote", "save", zip],
  ["letter.rtf", "application/rtf", "save", text("{\\rtf1 Hello}")],
  ["novel.epub", "application/epub+zip", "save", zip],
  ["novel.mobi", "application/x-mobipocket-ebook", "blind", startsWith("BOOKMOBI", 60)],
  ["poster.ps", "application/postscript", "blind", text("%!PS-Adobe-3.0")],
  ["logo.ai", "application/postscript", "blind", text("%PDF-1.5")],
  ["logo.eps", "application/postscript", "blind", text("%!PS-Adobe-3.0 EPSF-3.0")],
  // Text that programs read
  ["data.json", "application/json", "save", text("{}")],
  ["lines.jsonl", "application/jsonl", "blind", text("{}\n{}\n")],
  ["lines.ndjson", "application/x-ndjson", "blind", text("{}\n{}\n")],
  ["map.geojson", "application/geo+json", "blind", text("{}")],
  ["feed.xml", "application/xml", "blind", text("<a/>")],
  ["page.html", "text/html", "blind", text("<p>")],
  ["page.htm", "text/html", "blind", text("<p>")],
  ["page.xhtml", "application/xhtml+xml", "blind", text("<html/>")],
  ["saved.mht", "message/rfc822", "blind", text("From: <Saved>")],
  ["mail.eml", "message/rfc822", "blind", text("From: ada@example.org")],
  ["config.yaml", "text/yaml", "blind", text("a: 1")],
  ["config.yml", "text/yaml", "blind", text("a: 1")],
  ["config.toml", "application/toml", "blind", text("a = 1")],
  ["config.ini", "text/plain", "view", text("[a]")],
  ["meeting.ics", "text/calendar", "blind", text("BEGIN:VCALENDAR")],
  ["ada.vcf", "text/vcard", "blind", text("BEGIN:VCARD")],
  ["film.srt", "application/x-subrip", "blind", text("1\n00:00")],
  ["film.vtt", "text/vtt", "blind", text("WEBVTT")],
  ["walk.gpx", "application/gpx+xml", "blind", text("<gpx/>")],
  ["place.kml", "application/vnd.google-earth.kml+xml", "blind", text("<kml/>")],
  ["place.kmz", "application/vnd.google-earth.kmz", "save", zip],
  ["thesis.tex", "application/x-tex", "blind", text("\\documentclass{article}")],
  ["books.bib", "application/octet-stream", "blind", text("@book{}")],
  // Code
  ["main.ts", "application/typescript", "blind", text("const a = 1;")],
  ["page.tsx", "text/tsx", "blind", text("const a = 1;")],
  ["main.js", "text/javascript", "blind", text("const a = 1;")],
  ["main.mjs", "text/javascript", "blind", text("const a = 1;")],
  ["main.py", "text/x-python", "blind", text("a = 1")],
  ["lab.ipynb", "application/x-ipynb+json", "blind", text("{}")],
  ["main.rs", "text/rust", "blind", text("fn main() {}")],
  ["main.go", "text/x-go", "blind", text("package main")],
  ["Main.java", "text/x-java-source", "blind", text("class Main {}")],
  ["main.c", "text/x-c", "blind", text("int main;")],
  ["main.cpp", "text/x-c", "blind", text("int main;")],
  ["run.sh", "application/x-sh", "blind", text("#!/bin/sh")],
  ["run.ps1", "text/x-powershell", "blind", text("Get-Item")],
  ["index.php", "application/x-httpd-php", "blind", text("<?php")],
  ["query.sql", "application/sql", "blind", text("select 1")],
  ["style.css", "text/css", "blind", text("a {}")],
  ["code.wasm", "application/wasm", "blind", startsWith("\0asm")],
  // Archives
  ["all.zip", "application/zip", "save", zip],
  ["all.tar", "application/x-tar", "save", startsWith("ustar", 257)],
  ["all.tgz", "application/gzip", "save", () => gzipSync("a")],
  ["all.tar.gz", "application/gzip", "save", () => gzipSync("a")],
  ["data.gz", "application/gzip", "save", () => gzipSync("a")],
  ["all.7z", "application/x-7z-compressed", "save", startsWith("7z\xbc\xaf\x27\x1c")],
  ["all.rar", "application/vnd.rar", "save", startsWith("Rar!\x1a\x07\x01\0")],
  ["all.bz2", "application/x-bzip2", "save", startsWith("BZh9")],
  ["all.xz", "application/x-xz", "save", startsWith("\xfd7zXZ\0")],
  ["all.zst", "application/zstd", "save", startsWith("\x28\xb5\x2f\xfd")],
  // Sound
  ["song.mp3", "audio/mpeg", "view", startsWith("ID3\x04")],
  ["memo.m4a", "audio/mp4", "view", movie("M4A ", "mp42")],
  ["song.aac", "audio/aac", "view", startsWith("\xff\xf1")],
  ["song.flac", "audio/flac", "view", startsWith("fLaC")],
  ["song.ogg", "audio/ogg", "view", startsWith("OggS")],
  ["song.opus", "audio/ogg", "view", startsWith("OggS")],
  ["song.wav", "audio/wav", "view", startsWith("RIFF\0\0\0\0WAVE")],
  ["song.aiff", "audio/aiff", "view", startsWith("FORM\0\0\0\0AIFF")],
  ["song.mid", "audio/midi", "view", startsWith("MThd")],
  ["memo.amr", "audio/amr", "view", startsWith("#!AMR\n")],
  ["song.wma", "audio/x-ms-wma", "view", startsWith("\x30\x26\xb2\x75")],
  // Film
  ["film.mp4", "video/mp4", "view", movie("isom", "mp42")],
  ["IMG_2.MOV", "video/quicktime", "view", movie("qt  ")],
  ["film.m4v", "video/x-m4v", "view", movie("M4V ")],
  ["film.webm", "video/webm", "view", startsWith("\x1a\x45\xdf\xa3")],
  ["film.mkv", "video/x-matroska", "view", startsWith("\x1a\x45\xdf\xa3")],
  ["film.avi", "video/x-msvideo", "view", startsWith("RIFF\0\0\0\0AVI ")],
  ["film.wmv", "video/x-ms-wmv", "view", startsWith("\x30\x26\xb2\x75")],
  ["film.mpg", "video/mpeg", "view", startsWith("\0\0\x01\xba")],
  ["film.ts", "video/mp2t", "view", transportStream],
  ["film.m2ts", "video/mp2t", "view", startsWith("G", 4)],
  ["film.3gp", "video/3gpp", "view", movie("3gp4")],
  ["film.ogv", "video/ogg", "view", startsWith("OggS")],
  ["film.flv", "video/x-flv", "view", startsWith("FLV\x01")],
  ["live.m3u8", "application/vnd.apple.mpegurl", "save", text("#EXTM3U")],
  // Fonts
  ["type.ttf", "font/ttf", "save", startsWith("\0\x01\0\0")],
  ["type.otf", "font/otf", "save", startsWith("OTTO")],
  ["type.woff", "font/woff", "save", startsWith("wOFF")],
  ["type.woff2", "font/woff2", "save", startsWith("wOF2")],
  // Data
  ["table.parquet", "application/vnd.apache.parquet", "save", startsWith("PAR1")],
  ["table.avro", "application/vnd.apache.avro", "save", startsWith("Obj\x01")],
  ["table.arrow", "application/vnd.apache.arrow.file", "save", startsWith("ARROW1")],
  ["app.sqlite", "application/vnd.sqlite3", "save", startsWith("SQLite format 3\0")],
  ["data.bin", "application/octet-stream", "blind", startsWith("\0")],
  ["no-extension", "application/octet-stream", "blind", startsWith("\0")],
  // Design, three dimensions, building
  ["board.fig", "application/x-xfig", "blind", startsWith("fig-kiwi")],
  ["board.sketch", "application/octet-stream", "blind", zip],
  ["part.stl", "model/stl", "blind", text("solid part")],
  ["part.obj", "model/obj", "blind", text("v 0 0 0")],
  ["scene.glb", "model/gltf-binary", "blind", startsWith("glTF")],
  ["scene.gltf", "model/gltf+json", "blind", text("{}")],
  ["scene.usdz", "model/vnd.usdz+zip", "blind", zip],
  ["part.step", "model/step", "blind", text("ISO-10303-21;")],
  ["plan.dwg", "image/vnd.dwg", "save", startsWith("AC1032")],
  ["plan.dxf", "image/vnd.dxf", "save", text("0\nSECTION")],
  // Programs and keys
  ["setup.exe", "application/x-msdos-program", "blind", startsWith("MZ")],
  ["setup.msi", "application/x-msdownload", "blind", compoundFile],
  ["setup.dmg", "application/x-apple-diskimage", "blind", startsWith("x\x01")],
  ["app.apk", "application/vnd.android.package-archive", "save", zip],
  ["app.jar", "application/java-archive", "blind", zip],
  ["tool.deb", "application/vnd.debian.binary-package", "save", startsWith("!<arch>\n")],
  ["tool.so", "application/octet-stream", "blind", elf],
  ["disk.iso", "application/x-iso9660-image", "blind", startsWith("CD001", 32769)],
  ["cert.pem", "application/x-x509-ca-cert", "blind", text("-----BEGIN CERTIFICATE-----")],
  ["key.p12", "application/x-pkcs12", "blind", startsWith("\x30\x82")],
  ["cert.crt", "application/x-x509-ca-cert", "blind", startsWith("\x30\x82")],
  ["film.torrent", "application/x-bittorrent", "blind", text("d8:announce")],
];

/** Every kind, with the group of its table. */
export const kinds: Kind[] = [
  ...pictures,
  ...documents,
  ...others.map(([name, type, opens, bytes]) => ({ name, type, opens, bytes })),
];
