import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

interface Budgets {
  upload_cpu: number | null;
}

/** The committed figure, written by `npx pnpm --filter @stowage/bench budgets --write`. */
const committed = JSON.parse(
  await readFile(new URL("../../budgets.json", import.meta.url), "utf8"),
) as Budgets;

/** Null only on systems that do not report the CPU of a process. Linux does. */
const UNKNOWN = process.platform === "linux" ? Infinity : 0;

test("keeps the CPU of an upload within a tenth of the committed figure", async () => {
  const command = fileURLToPath(new URL("../../dist/budgets-command.js", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [command], { timeout: 170_000 });
  const measured = JSON.parse(stdout) as Budgets;
  console.log(
    `CPU of an upload in parts of a bare server's: ${stdout.trim()}, ${committed.upload_cpu} committed`,
  );
  expect(measured.upload_cpu ?? UNKNOWN).toBeLessThanOrEqual(committed.upload_cpu! * 1.1);
});
