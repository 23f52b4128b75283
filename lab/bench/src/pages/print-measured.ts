import type { Measured } from "./measure-pages.js";

/** Prints a Markdown table. */
export function printMeasured(measured: Measured[]): string {
  const rows = measured.map(({ page, procedure, input, where, fastestMs, medianMs, slowestMs }) => [
    page,
    `\`${procedure}\``,
    [describeInput(input), where].filter(Boolean).join(", "),
    fastestMs.toFixed(1),
    medianMs.toFixed(1),
    slowestMs.toFixed(1),
  ]);
  const table = [
    ["page", "call", "of", "fastest ms", "median ms", "slowest ms"],
    ["---", "---", "---", "---:", "---:", "---:"],
    ...rows,
  ];
  return table.map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function describeInput(input: Record<string, unknown> = {}): string {
  return Object.entries(input)
    .map(([name, value]) => (name === "tenantId" ? "largest tenant" : `${name} ${String(value)}`))
    .join(", ");
}
