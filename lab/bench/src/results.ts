import { readFile, writeFile } from "node:fs/promises";
import { type Figure, isTargetReached } from "./row.js";

/** The newest figures of each row. */
export type Results = Record<string, { measuredAt: string; machine: string; figures: Figure[] }>;

const json = new URL("../results.json", import.meta.url);
const markdown = new URL("../results.md", import.meta.url);

export async function readResults(): Promise<Results> {
  try {
    return JSON.parse(await readFile(json, "utf8")) as Results;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
}

/** Writes the figures as Markdown for readers and as JSON for the next run, which may measure some rows only. */
export async function writeResults(results: Results, order: string[]): Promise<void> {
  await writeFile(json, `${JSON.stringify(results, null, 2)}\n`);
  await writeFile(markdown, printResults(results, order));
}

export function printResults(results: Results, order: string[]): string {
  const names = order.filter((name) => results[name] !== undefined);
  const machines = [...new Set(names.map((name) => results[name]!.machine))];
  const table = [
    ["row", "measured", "against", "ratio", "target", "details"],
    ["---", "---", "---", "---", "---", "---"],
    ...names.flatMap((name) => printRow(name, results[name]!)),
  ];
  return `# Results

\`npx pnpm lab bench\` writes this page; \`npx pnpm lab bench ROW\` measures one row again. A ratio is the median, with the middle half, of several
rounds in which the sides take turns, on ${machines.join("; ")}. Times in µs are the server's CPU for each
request. [notes.md](notes.md) has the conclusions.

${table.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}
`;
}

/** Names the row and its day in the first of its lines. */
function printRow(name: string, { measuredAt, figures }: Results[string]): string[][] {
  return figures.map((figure, index) => [
    index === 0 ? `\`${name}\` ${measuredAt.slice(0, 10)}` : "",
    ...printFigure(figure),
  ]);
}

function printFigure({ measured, against, ratio, target, details }: Figure): string[] {
  return [
    measured,
    against,
    `**${short(ratio.median)}** (${short(ratio.low)}–${short(ratio.high)})`,
    describeTarget(ratio, target),
    details.replaceAll(" µs of the server's CPU each", " µs").replaceAll(" requests/s", "/s"),
  ];
}

function describeTarget(ratio: Figure["ratio"], target: Figure["target"]): string {
  if (!target) return "";
  const bound = "atLeast" in target ? `≥${target.atLeast}` : `≤${target.atMost}`;
  return `${bound} ${isTargetReached({ ratio, target }) ? "✓" : "✗"}`;
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
