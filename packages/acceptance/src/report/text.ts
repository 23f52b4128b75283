import type { Report, Result } from "../run/run.js";

type Failed = Extract<Result, { outcome: "failed" }>;
type Unasked = Extract<Result, { outcome: "left out" | "not asked" }>;

const MAX_NAMED_CASES = 8;

/** The report for a person: first what is wrong, grouped by its likely cause, then what was left out, then the sums. */
export function toText(report: Report, suiteVersion: string): string {
  const failed = report.results.filter((one): one is Failed => one.outcome === "failed");
  const blocks = [
    ...[...groupBy(failed, ({ failure }) => failure.cause + failure.whatToDo).values()].map(describeGroup),
    ...describeUnasked(report.results, "left out", "Left out"),
    ...describeUnasked(report.results, "not asked", "Not asked"),
    describeCleanUp(report),
    describeVersions(report, suiteVersion),
    summarize(report),
  ];
  return blocks.filter((block) => block !== "").join("\n\n");
}

function describeGroup(failures: Failed[]): string {
  const { cause, whatToDo, asked, expected, got, requestId } = failures[0]!.failure;
  const others = failures.slice(1);
  const lines = [
    `FAILED  ${nameOf(failures[0]!)}`,
    `  asked:     ${asked}`,
    `  expected:  ${expected}`,
    `  got:       ${got}`,
    ...(requestId === null ? [] : [`  request:   ${requestId}`]),
    `  cause:     ${cause}`,
    `  to do:     ${whatToDo}`,
  ];
  if (others.length === 0) return lines.join("\n");
  const named = others.slice(0, MAX_NAMED_CASES).map((one) => `    - ${nameOf(one)}`);
  const more = others.length - named.length;
  const rest = more > 0 ? [`    - and ${more} more (all of them with --json)`] : [];
  return [
    ...lines,
    `  also:      ${count(others.length, "case")} with the same likely cause:`,
    ...named,
    ...rest,
  ].join("\n");
}

function describeUnasked(results: Result[], outcome: Unasked["outcome"], title: string): string[] {
  const unasked = results.filter((one): one is Unasked => one.outcome === outcome);
  const groups = [...groupBy(unasked, ({ reason }) => reason)];
  if (groups.length === 0) return [];
  const lines = groups.map(([reason, cases]) => `  ${count(cases.length, "case")}: ${reason}`);
  return [[`${title}:`, ...lines].join("\n")];
}

function describeCleanUp({ cleanUp }: Report): string {
  if (cleanUp.left.length === 0) return "";
  const lines = [...groupBy(cleanUp.left, ({ reason }) => reason)].map(
    ([reason, tenants]) =>
      `  ${count(tenants.length, "tenant")}, such as ${tenants[0]!.tenant_id}: ${reason}`,
  );
  return [
    "Not cleaned up. A later run deletes these tenants after two hours, and so does POST /api/storage/tenants/delete/:",
    ...lines,
  ].join("\n");
}

function describeVersions({ serviceVersion }: Report, suiteVersion: string): string {
  if (serviceVersion === null || serviceVersion === suiteVersion) return "";
  return `The service has the version ${serviceVersion} and this command ${suiteVersion}. A failure can be a difference between the versions.`;
}

function summarize(report: Report): string {
  const of = (outcome: Result["outcome"]) => report.results.filter((one) => one.outcome === outcome).length;
  const parts = [
    `${of("passed")} passed`,
    `${of("failed")} failed`,
    `${of("left out")} left out`,
    ...(of("not asked") > 0 ? [`${of("not asked")} not asked`] : []),
  ];
  const seconds = Math.round(report.durationMs / 1000);
  const waited =
    report.waitedSeconds > 0 ? `, ${report.waitedSeconds} s of them waiting for its rate limit` : "";
  const deleted = count(report.cleanUp.deletedTenants, "tenant");
  return [
    `${report.url}, profile ${report.profile}: ${parts.join(", ")}.`,
    `${count(report.requests, "request")} and ${report.sentBytes} bytes in ${seconds} s${waited}. Deleted the run's ${deleted} with all files.`,
  ].join("\n");
}

const nameOf = ({ topic, name }: Result) => `${topic}: ${name}`;
const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;

function groupBy<T>(values: T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}
