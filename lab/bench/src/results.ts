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
  const rows = order.flatMap((name) => {
    const result = results[name];
    return result ? result.figures.map((figure) => printFigure(name, result.measuredAt, figure)) : [];
  });
  const head = [
    ["measured", "against", "ratio", "middle half", "target", "", "details", "command", "on"],
    ["---", "---", "---:", "---", "---:", "---", "---", "---", "---"],
  ];
  const machines = [...new Set(order.flatMap((name) => results[name]?.machine ?? []))];
  return `# Results

\`npx pnpm lab bench\` writes this page. The command of a row measures that row only. Each ratio is the median of several rounds in which
the sides take turns, on ${machines.join("; ")}. [notes.md](notes.md) has the conclusions.

${[...head, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")}
`;
}

function printFigure(name: string, measuredAt: string, figure: Figure): string[] {
  const { ratio, target } = figure;
  return [
    figure.measured,
    figure.against,
    `**${short(ratio.median)}**`,
    `${short(ratio.low)} to ${short(ratio.high)}`,
    target ? describeTarget(target) : "",
    describeVerdict(figure),
    figure.details,
    `\`npx pnpm lab bench ${name}\``,
    measuredAt.slice(0, 10),
  ];
}

function describeVerdict(figure: Figure): string {
  const isReached = isTargetReached(figure);
  if (isReached === undefined) return "";
  return isReached ? "reached" : "not reached";
}

function describeTarget(target: NonNullable<Figure["target"]>): string {
  return "atLeast" in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
