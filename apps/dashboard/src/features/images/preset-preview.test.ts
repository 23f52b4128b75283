import { expect, test } from "vitest";
import { newPreset } from "./preset-form.js";
import { sizeOf } from "./preset-preview.js";

test.each([
  [
    { width: "320", height: "" },
    { width: 320, height: 240 },
  ],
  [
    { width: "", height: "300" },
    { width: 400, height: 300 },
  ],
  [
    { width: "400", height: "150" },
    { width: 200, height: 150 },
  ],
  [
    { width: "4000", height: "" },
    { width: 1600, height: 1200 },
  ],
  [
    { width: "128", height: "128", fit: "cover" as const },
    { width: 128, height: 128 },
  ],
  [{ width: "128", height: "", fit: "cover" as const }, null],
  [{ width: "", height: "" }, null],
  [{ width: "1e", height: "" }, null],
])("a sample of 1600 × 1200 with %o becomes %o", (fields, size) => {
  expect(sizeOf({ ...newPreset, ...fields })).toEqual(size);
});
