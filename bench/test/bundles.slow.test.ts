import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { type Part, weighOurs } from "#bundles/weigh-ours.js";

/** What they were when they were last written down, by `npx pnpm --filter @stowage/bench budgets --write`. */
const { bundle_bytes: committed } = JSON.parse(
  await readFile(new URL("../budgets.json", import.meta.url), "utf8"),
) as { bundle_bytes: Record<Part, number> };

test("hook, dropzone and helper weigh at most a tenth more than was committed", async () => {
  const weighed = await weighOurs();
  console.log(`bytes, gzip: ${JSON.stringify(weighed)}, ${JSON.stringify(committed)} committed`);
  for (const part of ["hook", "dropzone", "helper"] as const) {
    expect(weighed[part], part).toBeLessThanOrEqual(committed[part] * 1.1);
  }
});
