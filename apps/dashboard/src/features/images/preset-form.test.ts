import { expect, test } from "vitest";
import { formatPreset, newPreset, parsePreset, validatePreset } from "./preset-form.js";

const preset = {
  name: "thumb",
  width: 320,
  height: null,
  fit: "inside",
  format: "auto",
  quality: 80,
  eager: true,
  animated: true,
} as const;

test("a preset is the same after it was shown in the form", () => {
  expect(parsePreset(formatPreset(preset))).toEqual(preset);
});

test.each([
  [{ name: "" }, "name"],
  [{ name: "Large Photos" }, "name"],
  [{ width: "", height: "" }, "width"],
  [{ width: "wide" }, "width"],
  [{ width: "0" }, "width"],
  [{ height: "12.5" }, "height"],
  [{ fit: "cover" as const }, "width"],
  [{ quality: "" }, "quality"],
  [{ quality: "101" }, "quality"],
  [{ animated: true, format: "jpeg" as const }, "animated"],
])("the form with %o has an error at the field %s", (change, field) => {
  expect(Object.keys(validatePreset({ ...newPreset, name: "thumb", ...change }))).toEqual([field]);
});

test("the form of a new preset only lacks its name", () => {
  expect(validatePreset({ ...newPreset, name: "thumb" })).toEqual({});
});
