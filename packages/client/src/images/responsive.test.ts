import { expect, test } from "vitest";
import { createImageLoader, toSrcSet } from "./responsive.js";

const SIZES = [
  { preset: "large", width: 1280 },
  { preset: "small", width: 320 },
];

test("writes the variants from the smallest to the widest, without those that have no address", () => {
  expect(toSrcSet(SIZES, (preset) => `https://cdn.test/a?v=${preset}`)).toBe(
    "https://cdn.test/a?v=small 320w, https://cdn.test/a?v=large 1280w",
  );
  expect(toSrcSet(SIZES, (preset) => (preset === "large" ? "/l" : undefined))).toBe("/l 1280w");
  expect(toSrcSet(SIZES, () => null)).toBe("");
});

test("escapes what would end the address", () => {
  expect(toSrcSet([SIZES[1]!], () => ",a b,c,")).toBe("%2Ca%20b,c%2C 320w");
});

test("the loader answers the smallest preset that is wide enough, or the widest", () => {
  const loader = createImageLoader({ sizes: SIZES, url: (src, preset) => `${src}/${preset}` });
  expect([100, 320, 321, 4000].map((width) => loader({ src: "/a", width, quality: 75 }))).toEqual([
    "/a/small",
    "/a/small",
    "/a/large",
    "/a/large",
  ]);
});

test("with an endpoint, the loader answers the address of the helper that redirects to the variant", () => {
  const loader = createImageLoader({ sizes: SIZES, endpoint: "/api/upload/" });
  const url = new URL(loader({ src: "projects/p/tenants/t/1_ä b.png", width: 640 }), "https://app.test");
  expect(url.pathname).toBe("/api/upload/download");
  expect(Object.fromEntries(url.searchParams)).toEqual({
    file_path: "projects/p/tenants/t/1_ä b.png",
    disposition: "inline",
    reuse: "true",
    variant: "large",
  });
});

test("a loader without sizes or without addresses is refused", () => {
  expect(() => createImageLoader({ sizes: [], endpoint: "/" })).toThrow(/sizes/);
  expect(() => createImageLoader({ sizes: SIZES })).toThrow(/endpoint or url/);
});
