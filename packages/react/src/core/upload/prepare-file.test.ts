import { expect, it } from "vitest";
import { aFile } from "../../../test/runtime.js";
import { prepareFile } from "./prepare-file.js";

const { signal } = new AbortController();
const broken = () => {
  throw new Error("bug of the page");
};

it("leaves a file as it is when the page has nothing to say", async () => {
  const file = aFile();
  expect(await prepareFile(file, {}, signal)).toBe(file);
  expect(await prepareFile(file, { validate: () => Promise.resolve(null) }, signal)).toBe(file);
});

it("refuses with the page's sentence, and does not transform what is refused", async () => {
  const refused = prepareFile(
    aFile(),
    { validate: ({ name }) => `${name} is blurred.`, transform: broken },
    signal,
  );
  await expect(refused).rejects.toMatchObject({ code: "file_refused", detail: "photo.jpg is blurred." });
});

it("sends what transform makes: a file as it is, a blob under the file's name", async () => {
  const smaller = new File(["a"], "small.webp", { type: "image/webp" });
  expect(await prepareFile(aFile(), { transform: () => smaller }, signal)).toBe(smaller);
  const blob = new Blob(["ab"], { type: "image/webp" });
  const made = await prepareFile(aFile(), { transform: () => Promise.resolve(blob) }, signal);
  expect(made).toMatchObject({ name: "photo.jpg", type: "image/webp", size: 2 });
});

it("tells a mistake of the page from a refusal", async () => {
  await expect(prepareFile(aFile(), { validate: broken }, signal)).rejects.toMatchObject({
    code: "validation_failed",
  });
  await expect(
    prepareFile(aFile(), { transform: () => Promise.reject(new Error("no canvas")) }, signal),
  ).rejects.toMatchObject({ code: "transform_failed" });
});

it("hands the signal to both", async () => {
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
