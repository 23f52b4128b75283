import { settings as exampleSettings } from "@stowage/example/settings";
import { passedOn, settings as localSettings } from "@stowage/local/src/settings.js";
import { type Setting, settingGroups } from "@stowage/service/settings";
import * as z from "zod";

/** Renders docs/settings.md. @param devStoreTable the table of variables in the README of dev-store */
export function renderSettingsPage(devStoreTable: string): string {
  const groups = Object.entries(settingGroups).flatMap(([title, group]) => [
    `### ${title}`,
    "",
    ...tableOf(Object.entries(group).map(([name, setting]) => [name, describe(setting)])),
    "",
  ]);
  return [
    "<!-- Generated from apps/service/src/settings, apps/local/src/settings.ts, apps/example/src/server/settings.ts and packages/dev-store/README.md by `pnpm --filter @stowage/documents run settings-page`; a test fails when it is stale. -->",
    "",
    "# Settings",
    "",
    "```sh",
    "DATABASE_URL=postgres://… S3_ENDPOINT=https://… S3_BUCKET=… S3_ACCESS_KEY_ID=… S3_SECRET_ACCESS_KEY=… \\",
    "  DASHBOARD_URL=https://storage.example.com HOST=0.0.0.0 stowage serve",
    "```",
    "",
    "- Each setting is an environment variable. An empty variable counts as not set.",
    "- A wrong setting ends the start with one sentence that names it. The sentence never contains the value.",
    "- Give all replicas and workers the same settings. Only addresses, ports, and settings of “this replica” may differ.",
    "- [The command line](cli.md) says which settings each command reads.",
    "",
    "## The service",
    "",
    ...groups,
    "OpenTelemetry's SDK reads more variables: [Traces](tracing.md).",
    "",
    "## `npm start` and `npx stowage`",
    "",
    ...tableOf(Object.entries(localSettings)),
    "",
    `They pass these settings on to the service, and read no others: ${listOf(passedOn.service)}.`,
    `The example app gets ${listOf(passedOn.example)}.`,
    "",
    "## The example app",
    "",
    ...tableOf(Object.entries(exampleSettings)),
    "",
    "## dev-store as a process",
    "",
    devStoreTable,
    "",
  ].join("\n");
}

interface Row {
  meaning: string;
  neededBy: string;
  value?: string;
  ifUnset?: string;
}

function tableOf(rows: readonly (readonly [name: string, row: Row])[]): string[] {
  return [
    "| setting | default | value | meaning | needed by |",
    "|---|---|---|---|---|",
    ...rows.map(
      ([name, { ifUnset, value, meaning, neededBy }]) =>
        `| \`${name}\` | ${ifUnset} | ${value} | ${meaning} | ${neededBy} |`,
    ),
  ];
}

/** What the parser says about values, as far as JSON Schema can say it. */
interface Schema {
  default?: unknown;
  enum?: string[];
  const?: string;
  minimum?: number;
  maximum?: number;
}

function describe({ parser, ...about }: Setting): Row {
  const schema = z.toJSONSchema(parser, { io: "input", unrepresentable: "any" }) as Schema;
  const words = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  const value = words.length > 0 ? words.map(code).join(", ") : `${about.value}${rangeOf(schema)}`;
  return { ...about, value, ifUnset: about.ifUnset ?? defaultOf(parser, schema) };
}

function rangeOf({ minimum, maximum }: Schema): string {
  if (minimum === undefined || maximum === undefined) return "";
  return maximum === Number.MAX_SAFE_INTEGER ? `, from ${minimum}` : `, ${minimum} to ${maximum}`;
}

/** A default of a transformed value, such as an empty list, is not in the schema. */
function defaultOf(parser: z.ZodType, schema: Schema): string {
  const { success, data } = parser.safeParse(undefined);
  if (!success) return "required";
  if (Array.isArray(data) && data.length === 0) return "none";
  return typeof schema.default === "string" ? code(schema.default) : String(schema.default);
}

const code = (text: string): string => `\`${text}\``;
const listOf = (names: readonly string[]): string => names.map(code).join(", ");
