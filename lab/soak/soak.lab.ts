import { mkdir, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { renderReport } from "./report.js";
import { soak } from "./soak.js";

const MINUTES = Number(process.env["MINUTES"]);
const SEED = Number(process.env["SEED"] || Date.now() % 1_000_000);
const FILE = "test-results/soak.md";

test(`a soak of ${MINUTES} minutes with the seed ${SEED} finds nothing`, async () => {
  console.log(`SEED=${SEED}`);
  const startedAt = Date.now();
  const onProgress = (line: string) =>
    console.log(`${Math.round((Date.now() - startedAt) / 1000)} s: ${line}`);
  const report = await soak({ minutes: MINUTES, seed: SEED, onProgress });
  const text = renderReport(report);
  await mkdir("test-results", { recursive: true });
  await writeFile(FILE, `${text}\n`);
  console.log(`${text}\n\nThe report is also in lab/${FILE}.`);
  expect(report.checks.filter(({ count }) => count > 0)).toEqual([]);
});
