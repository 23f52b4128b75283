import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { type Part, weighOurs } from "#bundles/weigh-ours.js";

/** The committed sizes, written by `npx pnpm --filter @stowage/bench budgets --write`. */
const { bundle_bytes: committed } = JSON.parse(
  await readFile(new URL("../budgets.json", import.meta.url), "utf8"),
) as { bundle_bytes: Record<Part, number> };

test("keeps hook, dropzone and helper within a tenth of their committed sizes", async () => {
  const weighed = await weighOurs();
  console.log(`bytes, gzip: ${JSON.stringify(weighed)}, ${JSON.stringify(committed)} committed`);
  for (const part of ["hook", "dropzone", "helper"] as const) {
    expect(weighed[part], part).toBeLessThanOrEqual(committed[part] * 1.1);
  }
});
