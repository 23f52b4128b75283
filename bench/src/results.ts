import { readFile, writeFile } from "node:fs/promises";
import { type Figure, holds } from "./row.js";

/** The last figures of each row. */
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

/** Writes both forms: one for reading, one for the next run, which may measure some rows alone. */
export async function writeResults(results: Results, order: string[]): Promise<void> {
  await writeFile(json, `${JSON.stringify(results, null, 2)}\n`);
  await writeFile(markdown, printResults(results, order));
}

export function printResults(results: Results, order: string[]): string {
  const rows = order.flatMap((name) => {
    const result = results[name];
    return result ? result.figures.map((figure) => printFigure(name, result.measuredAt, figure)) : [];
  });
  const head = [
    ["measured", "against", "ratio", "middle half", "to reach", "", "beside", "command", "on"],
    ["---", "---", "---:", "---", "---:", "---", "---", "---", "---"],
  ];
  const machines = [...new Set(order.flatMap((name) => results[name]?.machine ?? []))];
  return `# What was measured

Written by \`npx pnpm bench\`; a row's own command measures that row alone. Each ratio is the median of several rounds in which the
sides took turns, on ${machines.join("; ")}. What was tried to make it better is in [notes.md](notes.md).

${[...head, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")}
`;
}

function printFigure(name: string, measuredAt: string, figure: Figure): string[] {
  const { ratio, toReach } = figure;
  return [
    figure.measured,
    figure.against,
    `**${short(ratio.median)}**`,
    `${short(ratio.low)} to ${short(ratio.high)}`,
    "atLeast" in toReach ? `≥ ${toReach.atLeast}` : `≤ ${toReach.atMost}`,
    holds(figure) ? "reached" : "not reached",
    figure.beside,
    `\`npx pnpm bench ${name}\``,
    measuredAt.slice(0, 10),
  ];
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
