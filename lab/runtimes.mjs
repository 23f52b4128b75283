// `pnpm lab runtimes [GROUP…]`: Stowage and its packages on Node, Bun and Deno (`runtimes`), with schema libraries and versions of
// TypeScript (`types`), and in new apps of frameworks (`frameworks`). Everything comes from npm, into a temporary folder. Prints one table
// for each group and exits with 1 if a promised combination fails. `--only=NAME` limits a group to one column or row,
// `--skip-build` packs what was built before, `--keep` keeps the folder.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkFrameworks } from "./runtimes/frameworks.mjs";
import { packPackages } from "./runtimes/install.mjs";
import { checkRuntimes } from "./runtimes/runtimes.mjs";
import { checkTypes } from "./runtimes/types.mjs";

const GROUPS = { runtimes: checkRuntimes, types: checkTypes, frameworks: checkFrameworks };

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string" }, keep: { type: "boolean" }, "skip-build": { type: "boolean" } },
});
const unknown = positionals.find((name) => !Object.hasOwn(GROUPS, name));
if (unknown !== undefined) {
  console.error(`There is no group "${unknown}": ${Object.keys(GROUPS).join(", ")}.`);
  process.exit(2);
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), "stowage-runtimes-")));
let hasFailed = false;
try {
  const packed = await packPackages(folder, { skipBuild: values["skip-build"] });
  for (const [name, check] of Object.entries(GROUPS)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const { tables, failures } = await check({ folder, packed, only: values.only });
    for (const { title, header, rows } of tables) printTable(title, header, rows);
    for (const failure of failures) console.error(`\nFAILED ${failure}`);
    hasFailed ||= failures.length > 0;
  }
} finally {
  if (values.keep) console.log(`\nThe folder is ${folder}.`);
  else rmSync(folder, { recursive: true, force: true });
}
process.exitCode = hasFailed ? 1 : 0;

function printTable(title, header, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  console.log(`\n${title}\n\n${[line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n")}`);
}
