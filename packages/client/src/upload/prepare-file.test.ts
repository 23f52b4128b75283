import { expect, test } from "vitest";
import { aFile } from "../../test/runtime.js";
import { UploadError } from "../upload-error.js";
import { prepareFile } from "./prepare-file.js";

const { signal } = new AbortController();
const broken = () => {
  throw new Error("bug of the page");
};

test("returns the file itself when validate and transform change nothing", async () => {
  const file = aFile();
  expect(await prepareFile(file, {}, signal)).toBe(file);
  expect(await prepareFile(file, { validate: () => Promise.resolve(null) }, signal)).toBe(file);
});

test("refuses with the text of validate, and does not transform a refused file", async () => {
  const refused = prepareFile(
    aFile(),
    { validate: ({ name }) => `${name} is blurred.`, transform: broken },
    signal,
  );
  await expect(refused).rejects.toMatchObject({ code: "file_refused", detail: "photo.jpg is blurred." });
});

test.each(["mail.msg", "Mail.EML", "meeting.ics", "ann.vcf"])("refuses %s without content", async (name) => {
  await expect(prepareFile(new File([], name), {}, signal)).rejects.toMatchObject({ code: "file_not_saved" });
  const saved = new File(["content"], name);
  expect(await prepareFile(saved, {}, signal)).toBe(saved);
});

test("sends an empty file of a person", async () => {
  for (const name of ["empty.txt", "msg", "a.msg.txt"]) {
    const file = new File([], name);
    expect(await prepareFile(file, {}, signal)).toBe(file);
  }
});

test("returns the file that transform returned, or its blob under the name of the file with the extension of its type", async () => {
  const smaller = new File(["a"], "small.webp", { type: "image/webp" });
  expect(await prepareFile(aFile(), { transform: () => smaller }, signal)).toBe(smaller);
  const blob = new Blob(["ab"], { type: "image/webp" });
  const made = await prepareFile(aFile(), { transform: () => Promise.resolve(blob) }, signal);
  expect(made).toMatchObject({ name: "photo.webp", type: "image/webp", size: 2 });
  const sameName = new File(["abc"], "photo.jpg", { type: "image/webp" });
  const renamed = await prepareFile(aFile(), { transform: () => sameName }, signal);
  expect(renamed).toMatchObject({ name: "photo.webp", type: "image/webp", size: 3 });
});

test("reports an error in the page's code by its own code", async () => {
  await expect(prepareFile(aFile(), { validate: broken }, signal)).rejects.toMatchObject({
    code: "validation_failed",
  });
  await expect(
    prepareFile(aFile(), { transform: () => Promise.reject(new Error("no canvas")) }, signal),
  ).rejects.toMatchObject({ code: "transform_failed" });
});

test("keeps the code of an UploadError of the page's code", async () => {
  const validate = () => Promise.reject(new UploadError("image_unreadable"));
  await expect(prepareFile(aFile(), { validate }, signal)).rejects.toMatchObject({
    code: "image_unreadable",
  });
});

test("passes the signal to validate and transform", async () => {
  const seen: AbortSignal[] = [];
  await prepareFile(
    aFile(),
    {
      validate: (_file, options) => void seen.push(options.signal),
      transform: (file, options) => (seen.push(options.signal), file),
    },
    signal,
  );
  expect(seen).toEqual([signal, signal]);
});
