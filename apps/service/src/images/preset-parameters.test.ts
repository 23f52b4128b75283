import { describe, expect, test } from "vitest";
import { allParametersOf, hashParameters, parametersOf, type PresetParameters } from "./preset-parameters.js";

const preset: PresetParameters = {
  width: 200,
  height: 100,
  fit: "cover",
  format: "auto",
  quality: 80,
  animated: false,
};

describe("the format of an automatic preset", () => {
  test.each([
    [undefined, "webp"],
    ["", "webp"],
    ["*/*", "webp"],
    ["image/webp,*/*", "webp"],
    ["image/avif,image/webp,*/*;q=0.8", "avif"],
    ["text/html, IMAGE/AVIF;q=0.5", "avif"],
    ["image/avif;q=0", "webp"],
    ["image/avif; q=0.0", "webp"],
    ["image/avifx", "webp"],
  ])("is for Accept: %s", (accept, format) => {
    expect(parametersOf(preset, accept).format).toBe(format);
  });

  test("is WebP for a preset that keeps animations", () => {
    expect(parametersOf({ ...preset, animated: true }, "image/avif").format).toBe("webp");
  });

  test("is not asked for a preset with a format of its own", () => {
    expect(parametersOf({ ...preset, format: "jpeg" }, "image/avif").format).toBe("jpeg");
  });
});

describe("the hash of parameters", () => {
  const base = parametersOf(preset, undefined);

  test("is the same for the same parameters in another order", () => {
    const { quality, ...others } = base;
    expect(hashParameters({ quality, ...others })).toBe(hashParameters(base));
  });

  test("of a preset without animations is the same as before there were any", () => {
    const { animated: _, ...older } = base;
    expect(hashParameters(older)).toBe(hashParameters(base));
  });

  test("changes with each of them", () => {
    const changes = [
      { width: 201 },
      { width: null },
      { height: 101 },
      { fit: "inside" },
      { format: "jpeg" },
      { quality: 81 },
      { animated: true },
    ] as const;
    const hashes = changes.map((change) => hashParameters({ ...base, ...change }));
    expect(new Set([hashParameters(base), ...hashes]).size).toBe(changes.length + 1);
  });

  test("knows both formats of an automatic preset", () => {
    expect(allParametersOf(preset).map(({ format }) => format)).toEqual(["webp", "avif"]);
    expect(allParametersOf({ ...preset, format: "jpeg" })).toHaveLength(1);
    expect(allParametersOf({ ...preset, animated: true })).toHaveLength(1);
  });
});
