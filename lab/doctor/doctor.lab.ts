import { expect, test } from "vitest";
import { examine, lineOf } from "@stowage/service/test/fixtures/a-broken-store.js";
import { brokenStores, ORIGIN } from "@stowage/service/test/fixtures/broken-stores.js";

/** The fronts of the service's own test, with everything that the doctor says beyond what it says of a store that is not broken. */
test("prints what the doctor says of each broken store", async () => {
  const sound = new Set((await examine({}, ORIGIN)).map(lineOf));
  const rows: string[] = [];
  let found = 0;
  for (const [name, { doctor, ...behaviour }] of Object.entries(brokenStores)) {
    const lines = (await examine(behaviour, ORIGIN)).map(lineOf);
    const said = lines.filter((line) => !sound.has(line) && !/^(ok|info) /.test(line));
    const isFound = lines.some((line) => doctor.test(line));
    if (isFound) found++;
    const skipped = said.filter((line) => line.startsWith("skip "));
    const cells = said.filter((line) => !skipped.includes(line) || doctor.test(line));
    if (skipped.length > 1) cells.push(`${skipped.length} lines not checked`);
    rows.push(`| ${name} | ${isFound ? "found" : "NOT FOUND"} | ${cells.join("<br>")} |`);
  }
  const title = `Of ${rows.length} broken stores, the doctor finds ${found}.`;
  console.log([title, "", "| store | | what doctor says |", "|---|---|---|", ...rows].join("\n"));
  expect(found).toBe(rows.length);
});
