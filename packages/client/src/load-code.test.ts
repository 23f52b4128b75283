import { expect, test } from "vitest";
import { loadCode } from "./load-code.js";

/** A loader that fails as a browser's `import()` does, of a module that can be fetched at another address. */
function aLoader(source: string, message = "Failed to fetch dynamically imported module: ") {
  const error = new TypeError(`${message}data:text/javascript,${encodeURIComponent(`${source};//`)}`);
  return { error, load: (): Promise<{ codeName: "sum"; sum: number }> => Promise.reject(error) };
}

test.each([
  ["Chromium", "Failed to fetch dynamically imported module: "],
  ["Firefox", "error loading dynamically imported module: "],
])("finds the code at another address after the error of %s", async (_browser, message) => {
  const { load } = aLoader(`export const codeName = "sum", sum = 3`, message);
  expect(await loadCode(load, "sum")).toMatchObject({ sum: 3 });
});

test("finds the code in a chunk that has other code too, under a name that the bundler chose", async () => {
  const { load } = aLoader(`export const a = undefined, b = { codeName: "sum", sum: 3 }`);
  expect(await loadCode(load, "sum")).toEqual({ codeName: "sum", sum: 3 });
});

test("throws the error of the loader if the module has other code, or if no module is named", async () => {
  const other = aLoader(`export const a = { codeName: "other" }`);
  await expect(loadCode(other.load, "sum")).rejects.toBe(other.error);
  const chunk = aLoader("", "Loading chunk 379 failed: ");
  await expect(loadCode(chunk.load, "sum")).rejects.toBe(chunk.error);
});
