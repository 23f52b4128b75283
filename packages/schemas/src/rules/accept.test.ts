import { expect, it } from "vitest";
import { accepts } from "./accept.js";

const file = (name: string, type = "") => ({ name, type });

it("accepts by extension, by type and by group of types", () => {
  expect(accepts(".pdf", file("Report.PDF"))).toBe(true);
  expect(accepts("application/pdf", file("x", "application/pdf"))).toBe(true);
  expect(accepts("image/*", file("x", "image/png"))).toBe(true);
  expect(accepts("text/plain", file("x", "text/plain;charset=utf-8"))).toBe(true);
});

it("refuses what none of the kinds covers", () => {
  expect(accepts("image/*,.pdf", file("x.txt", "text/plain"))).toBe(false);
  expect(accepts("image/*", file("x.png"))).toBe(false);
  expect(accepts("image/*", file("x", "imagery/png"))).toBe(false);
  expect(accepts(".jpg", file("jpg"))).toBe(false);
});

it("takes a list as it takes a string, and everything when nothing is said", () => {
  expect(accepts([" .PDF ", "image/*"], file("a.pdf"))).toBe(true);
  for (const all of [undefined, "", [], "*", "*/*"]) expect(accepts(all, file("x"))).toBe(true);
});
