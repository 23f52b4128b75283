import { cpus } from "node:os";
import type { JudgedTrend, Sample } from "./samples.js";
import type { Statistics } from "./statistics.js";

export interface SoakReport {
  minutes: number;
  seed: number;
  requestsPerSecond: number;
  statistics: Statistics;
  samples: Sample[];
  trends: JudgedTrend[];
  checks: { name: string; problems: string[]; count: number }[];
  faults: Map<string, number>;
  files: number;
  events: number;
  webhookRequests: number;
  starts: number;
  /** How often a project moved to the other storage. */
  moves: number;
}

/** Renders the report as Markdown. */
export function renderReport(report: SoakReport): string {
  const { statistics, checks, trends, faults, samples } = report;
  const failed = checks.filter(({ count }) => count > 0);
  return [
    `# Soak of ${report.minutes} minutes: ${failed.length === 0 ? "passed" : `${failed.length} checks failed`}`,
    `SEED=${report.seed}, at most ${report.requestsPerSecond} requests/s. ${cpus().length} cores, Node ${process.version}, ${samples.length} samples.`,
    `${statistics.requests()} requests, ${report.files} files, ${report.events} webhook events in ${report.webhookRequests} requests, ${report.starts} replicas started, ${report.moves} moves between storages.`,
    "## Checks",
    table(
      ["check", "result"],
      checks.map(({ name, count }) => [name, count === 0 ? "ok" : `**${count} problems**`]),
    ),
    ...failed.map(
      ({ name, problems }) =>
        `${name}:\n\n${problems.map((problem) => `- ${problem.slice(0, 600)}`).join("\n")}`,
    ),
    "## Faults",
    table(
      ["fault", "times"],
      [...faults].toSorted().map(([name, count]) => [name, String(count)]),
    ),
    "## Requests",
    table(
      ["call", "outcomes"],
      [...statistics.outcomes()].toSorted().map(([call, outcomes]) => [call, listed(outcomes)]),
    ),
    "## Latency of answers with 200, in ms",
    table(
      ["", "answers", "median", "p99", "slowest"],
      (["calm", "fault"] as const).map((phase) => {
        const { count, median, p99, max } = statistics.latency(phase);
        return [phase, count, median, p99, max].map(String);
      }),
    ),
    "## Trends of the second half",
    table(["value", "first", "last", "median", "growth", "allowed", "result"], trends.map(trendRow)),
  ].join("\n\n");
}

function trendRow({ title, unit, first, last, trend }: JudgedTrend): string[] {
  const number = (value: number) => (value / unit).toFixed(unit === 1 ? 0 : 1);
  if (!trend) return [title, number(first), number(last), "", "", "", "too few samples"];
  const { median, growth, allowed, isFlat } = trend;
  return [title, ...[first, last, median, growth, allowed].map(number), isFlat ? "flat" : "**grows**"];
}

const listed = (outcomes: Map<string, number>): string =>
  [...outcomes]
    .toSorted((a, b) => b[1] - a[1])
    .map(([name, count]) => `${count} × ${name}`)
    .join(", ");

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
