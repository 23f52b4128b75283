import { expect, test } from "vitest";
import { mediaTypeOf, mediaTypeOfName, nameForMediaType } from "./media-types.js";

test.each([
  ["IMG_1.HEIC", "image/heic"],
  ["scan.jfif", "image/jpeg"],
  ["app.ts", "application/typescript"],
  ["main.rs", "text/rust"],
  ["main.py", "text/x-python"],
  ["rows.jsonl", "application/jsonl"],
  ["backup.tgz", "application/gzip"],
  ["backup.tar.gz", "application/gzip"],
  ["table.parquet", "application/vnd.apache.parquet"],
  ["RAW.DNG", "image/x-adobe-dng"],
  ["a/b.c/photo.jpg", "image/jpeg"],
  ["png", undefined],
  [".png", undefined],
  ["png.", undefined],
  ["a.unknown-extension", undefined],
  ["a.__proto__", undefined],
])("the type of %s is %s", (name, type) => {
  expect(mediaTypeOfName(name)).toBe(type);
});

test.each([
  ["a.zip", "application/x-zip-compressed", "application/zip"],
  ["a.zip", "", "application/zip"],
  ["evil.jpg", "text/html", "image/jpeg"],
  ["a.txt", "text/plain;charset=utf-8", "text/plain;charset=utf-8"],
  ["voice.webm", "audio/webm;codecs=opus", "audio/webm;codecs=opus"],
  ["unknown", "image/png", "image/png"],
  ["unknown", "", "application/octet-stream"],
])("%s, sent as '%s', is stored as %s", (name, type, stored) => {
  expect(mediaTypeOf({ name, type })).toBe(stored);
});

test.each([
  ["photo.heic", "image/jpeg", "photo.jpg"],
  ["photo.HEIC", "image/webp", "photo.webp"],
  ["photo.jpeg", "image/jpeg", "photo.jpeg"],
  ["photo.jpg", "image/jpg", "photo.jpg"],
  ["clip.mov", "video/mp4; codecs=avc1", "clip.mp4"],
  ["v1.2 final", "image/png", "v1.2 final.png"],
  ["photo", "image/png", "photo.png"],
  ["notes.txt", "", "notes.txt"],
  ["notes.txt", "application/x-of-nobody", "notes.txt"],
])("%s with the type '%s' is called %s", (name, type, renamed) => {
  expect(nameForMediaType(name, type)).toBe(renamed);
});
