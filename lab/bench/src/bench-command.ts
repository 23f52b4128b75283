import { parseArgs } from "node:util";
import { describeMachine } from "./processes/machine.js";
import { pinSelf } from "./processes/pinning.js";
import { readResults, printResults, writeResults } from "./results.js";
import { rows } from "./rows.js";
import { withTools } from "./with-tools.js";

const { positionals } = parseArgs({ allowPositionals: true });
const unknown = positionals.find((name) => !rows.some((row) => row.name === name));
if (unknown !== undefined) {
  console.error(`There is no row ${unknown}. Choose from: ${rows.map((row) => row.name).join(", ")}.`);
  process.exit(1);
}

// This process, databases and load share one core. Servers get the other one.
await pinSelf();
const selected = positionals.length === 0 ? rows : rows.filter((row) => positionals.includes(row.name));
for (const row of selected) {
  console.log(`\n${row.name}`);
  try {
    const figures = await withTools((line) => console.log(`  ${line}`), row.run);
    const result = { measuredAt: new Date().toISOString(), machine: describeMachine(), figures };
    // Read the file again before each write, so a failing row does not lose the figures of the others.
    await writeResults({ ...(await readResults()), [row.name]: result }, order());
    console.log(
      printResults({ [row.name]: result }, [row.name])
        .split("\n")
        .slice(-4)
        .join("\n"),
    );
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
}

function order(): string[] {
  return rows.map((row) => row.name);
}
