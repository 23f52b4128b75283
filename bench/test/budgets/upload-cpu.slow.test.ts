import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

interface Budgets {
  upload_cpu: number | null;
}

/** What it was when it was last written down, by `npx pnpm --filter @stowage/bench budgets --write`. */
const committed = JSON.parse(
  await readFile(new URL("../../budgets.json", import.meta.url), "utf8"),
) as Budgets;

/** Of a system that does not tell how much CPU a process uses; Linux must. */
const UNKNOWN = process.platform === "linux" ? Infinity : 0;

test("an upload costs at most a tenth more of the CPU than was committed", async () => {
  const command = fileURLToPath(new URL("../../dist/budgets-command.js", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [command], { timeout: 170_000 });
  const measured = JSON.parse(stdout) as Budgets;
  console.log(
    `CPU of an upload in parts of a bare server's: ${stdout.trim()}, ${committed.upload_cpu} committed`,
  );
  expect(measured.upload_cpu ?? UNKNOWN).toBeLessThanOrEqual(committed.upload_cpu! * 1.1);
});
