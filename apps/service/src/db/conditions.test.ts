import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as conditions from "./schema/conditions.js";

const src = join(import.meta.dirname, "..");
const sources = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
  (path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.endsWith("conditions.ts"),
);

/** A statement also sets a column to a value, such as `status = 'removing'`. */
const isAssignment = (condition: string) => /^\w+( = '\w+')?$/.test(condition);

test("no statement writes the condition of a partial index itself", () => {
  const written = Object.values(conditions).filter((condition) => !isAssignment(condition));
  const copies = sources.flatMap((path) => {
    const text = readFileSync(join(src, path), "utf8");
    return written
      .filter((condition) => text.includes(condition))
      .map((condition) => `${path}: ${condition}`);
  });
  expect(written.length).toBeGreaterThan(5);
  expect(copies).toEqual([]);
});
