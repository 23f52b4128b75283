import type { BrowserOpenUpload } from "@stowage/schemas";
import { expect, test } from "vitest";
import { fingerprintOf } from "./fingerprint.js";
import { continues, isFileOf } from "./match-file.js";

const CONTENT = new Uint8Array(1000).fill(7);
const file = new File([CONTENT], "Überblick.mp4".normalize("NFC"));
const twin = new File([new Uint8Array(1000).fill(8)], file.name);

async function anUpload(changes: Partial<BrowserOpenUpload> = {}): Promise<BrowserOpenUpload> {
  return {
    file_path: "projects/p/tenants/t/1_a.mp4",
    filename: file.name,
    content_type: "video/mp4",
    size: null,
    status: "pending",
    etag: null,
    created_at: "2026-01-01T00:00:00Z",
    stored_at: null,
    declared_size: 1000,
    part_size: 100,
    part_count: 10,
    parts_stored: 5,
    bytes_stored: 500,
    expires_at: "2026-01-08T00:00:00Z",
    fingerprint: await fingerprintOf(file, { album: 7 }),
    ...changes,
  };
}

test("the chosen file fits if the upload has its size and its content, also after it was renamed", async () => {
  const upload = await anUpload();
  expect(await isFileOf(upload, file)).toBe(true);
  expect(await isFileOf(upload, new File([CONTENT], "renamed.mp4"))).toBe(true);
  expect(await isFileOf(upload, twin)).toBe(false);
  expect(await isFileOf(upload, new File([CONTENT, "x"], file.name))).toBe(false);
});

test("without a fingerprint of the widget, the name decides", async () => {
  const upload = await anUpload({ fingerprint: null });
  expect(await isFileOf(upload, file)).toBe(true);
  expect(await isFileOf(upload, new File([CONTENT], "renamed.mp4"))).toBe(false);
});

test("an added file continues an upload of the same name, content and input", async () => {
  const upload = await anUpload();
  expect(await continues(upload, file, { album: 7 })).toBe(true);
  expect(await continues(upload, new File([CONTENT], file.name.normalize("NFD")), { album: 7 })).toBe(true);
});

test("an added file does not continue an upload of another name, content or input by itself", async () => {
  const upload = await anUpload();
  expect(await continues(upload, file, { album: 8 })).toBe(false);
  expect(await continues(upload, file, undefined)).toBe(false);
  expect(await continues(upload, new File([CONTENT], "renamed.mp4"), { album: 7 })).toBe(false);
  expect(await continues(upload, twin, { album: 7 })).toBe(false);
  expect(await continues(await anUpload({ fingerprint: null }), file, undefined)).toBe(false);
});
