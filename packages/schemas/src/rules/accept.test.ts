import { expect, test } from "vitest";
import { accepts } from "./accept.js";

const file = (name: string, type = "") => ({ name, type });

test("accepts by extension, by type and by group of types", () => {
  expect(accepts(".pdf", file("Report.PDF"))).toBe(true);
  expect(accepts("application/pdf", file("x", "application/pdf"))).toBe(true);
  expect(accepts("image/*", file("x", "image/png"))).toBe(true);
  expect(accepts("text/plain", file("x", "text/plain;charset=utf-8"))).toBe(true);
});

test("refuses a file that matches no token", () => {
  expect(accepts("image/*,.pdf", file("x.txt", "text/plain"))).toBe(false);
  expect(accepts("image/*", file("x.png"))).toBe(false);
  expect(accepts("image/*", file("x", "imagery/png"))).toBe(false);
  expect(accepts(".jpg", file("jpg"))).toBe(false);
});

test("treats a list like a string, and an empty accept as every file", () => {
  expect(accepts([" .PDF ", "image/*"], file("a.pdf"))).toBe(true);
  for (const all of [undefined, "", [], "*", "*/*"]) expect(accepts(all, file("x"))).toBe(true);
});
