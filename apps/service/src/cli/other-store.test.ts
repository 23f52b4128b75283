import { expect, test } from "vitest";
import { type OtherStoreOptions, readOtherBucket } from "./other-store.js";

test("the provider of the other bucket says how many parts it takes, unless --max-parts does", () => {
  const maxPartsOf = (given: Partial<OtherStoreOptions>) => {
    const options = { region: "fr-par", ...given };
    const { config } = readOtherBucket({}, "s3://files/", "--to", options, { id: "ID", secret: "SECRET" });
    return config.S3_MAX_PARTS;
  };
  const [scaleway, swift] = ["https://s3.fr-par.scw.cloud", "https://swift.example.com"];
  expect(maxPartsOf({ endpoint: scaleway })).toBe(1000);
  expect(maxPartsOf({ endpoint: scaleway, maxParts: 500 })).toBe(500);
  expect(maxPartsOf({ endpoint: swift, maxParts: 1000 })).toBe(1000);
  expect(maxPartsOf({ endpoint: swift })).toBe(10_000);
  expect(maxPartsOf({})).toBe(10_000);
  expect(() => maxPartsOf({ maxParts: 1 })).toThrow(/^--max-parts /);
});
