import { beforeAll, describe, expect, test } from "vitest";
import { readText } from "../containers/read-files.js";
import { readRules } from "../fixtures/a-prometheus.js";
import { type MetricDefinition, readDefinitions } from "./all-metrics.js";
import { readQueries } from "./read-dashboard.js";

let definitions: Map<string, MetricDefinition>;
beforeAll(async () => {
  const all = [...(await readDefinitions("service")), ...(await readDefinitions("worker"))];
  definitions = new Map(all.map((definition) => [definition.name, definition]));
});

const rules = readRules().groups.flatMap((group) => group.rules);
const expressions = [
  ...rules.map(({ alert, expr }) => ({ place: `alert ${alert}`, expr })),
  ...readQueries().map(({ panel, expr }) => ({ place: `panel ${panel}`, expr })),
];

/** The metrics that an expression reads, with the labels that it compares. */
function metricsOf(expr: string): { name: string; labels: string[] }[] {
  const withoutGrouping = expr.replace(/\b(by|on|without) \([^)]*\)/g, "");
  const found = withoutGrouping.matchAll(/\b((?:[a-z0-9]+_)+[a-z0-9]+|up)\b(?!\s*\()(?:\{([^}]*)\})?/g);
  return [...found].map(([, name, selector = ""]) => ({
    name: name!,
    labels: [...selector.matchAll(/(\w+)(?:=|!=|=~|!~)"/g)].map(([, label]) => label!),
  }));
}

/** What is wrong with an expression: a metric or a label that does not exist. */
function problemsOf(expr: string): string[] {
  return metricsOf(expr).flatMap(({ name, labels }) => {
    if (name === "up") return [];
    const base = name.replace(/_(bucket|count|sum)$/, "");
    const definition = definitions.get(name) ?? definitions.get(base);
    const isHistogram = definition?.name === base && base !== name;
    if (!definition || (isHistogram && definition.type !== "histogram")) return [`no metric ${name}`];
    const known = [...definition.labels, "job", "instance"];
    return labels.filter((label) => !known.includes(label)).map((label) => `no label ${label} of ${name}`);
  });
}

test.each(expressions)("$place reads metrics and labels that exist", ({ expr }) => {
  expect(metricsOf(expr).length).toBeGreaterThan(0);
  expect(problemsOf(expr)).toEqual([]);
});

test.each([
  ["rate(stowage_gone_total[5m]) > 1", ["no metric stowage_gone_total"]],
  ['sum(stowage_backlog_rows{row="scans"})', ["no label row of stowage_backlog_rows"]],
  ["rate(stowage_backlog_rows_count[5m])", ["no metric stowage_backlog_rows_count"]],
])("finds what is wrong with %s", (expr, problems) => {
  expect(problemsOf(expr)).toEqual(problems);
});

describe("docs/metrics.md", () => {
  const page = readText("docs/metrics.md");
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));

  test("has a row for each metric, with its type, its labels and its help", () => {
    const expected = [...definitions.values()].map(
      ({ name, type, labels, help }) =>
        `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(" ")} | ${help} |`,
    );
    const ofMetrics = rows.filter((row) => /^\| `[a-z0-9_]+` \| (counter|gauge|histogram) \|/.test(row));
    expect(ofMetrics.toSorted()).toEqual(expected.toSorted());
  });
});

describe("docs/runbooks.md", () => {
  const headings = [...readText("docs/runbooks.md").matchAll(/^## (\w+)$/gm)].map(([, heading]) => heading!);

  test("has a section for each alert, in the same order, and no other one", () => {
    expect(headings).toEqual(rules.map(({ alert }) => alert));
  });

  test.each(rules)("the alert $alert links to its section", ({ alert, annotations }) => {
    expect(annotations["runbook"]).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
    expect(annotations["summary"]).toMatch(/\.$/);
  });

  test("each section says what the alert means, what to look at and what to do", () => {
    const sections = readText("docs/runbooks.md").split(/^## /m).slice(1);
    for (const section of sections) {
      expect(section).toMatch(
        /^\w+\n\n\*\*Means:\*\* .+\n\n\*\*Look at:\*\*\n\n(- .+\n)+\n\*\*Do:\*\*\n\n(- .+\n)+$/m,
      );
    }
  });
});

test.each(rules)("the alert $alert pages a person or opens a ticket", ({ labels }) => {
  expect(["page", "ticket"]).toContain(labels.severity);
});
