import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyTree } from "../src/copy-tree.js";
import { root } from "../src/root.js";

/*
 * Does two of the common tasks of CONTRIBUTING.md in a copy of the repository, in the files that it names there, and checks that nothing
 * else has to change.
 */
/** A busy machine needs minutes for what takes one. */
const TIMEOUT_MS = 540_000;

let copy: string;
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "stowage-tasks-"));
  await copyTree(copy);
});
afterAll(() => rm(copy, { recursive: true }));

/** Runs a program of a package's dependencies in its folder. */
async function run(folder: string, program: "typescript" | "vitest", ...args: string[]): Promise<void> {
  const main = { typescript: "bin/tsc", vitest: "vitest.mjs" }[program];
  const manifest = createRequire(join(copy, folder, "package.json")).resolve(`${program}/package.json`);
  try {
    const env = { ...process.env, NODE_ENV: undefined, VITEST: undefined };
    await promisify(execFile)(process.execPath, [join(dirname(manifest), main), ...args], {
      cwd: join(copy, folder),
      env,
      maxBuffer: 2 ** 28,
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(" ")} in ${folder}:\n${stdout}\n${stderr}`, { cause: error });
  }
}
const checkTypes = (folder: string) => run(folder, "typescript", "-p", "tsconfig.json");
const runTests = (folder: string, project: "fast" | "slow", ...args: string[]) => {
  const hasConfig = existsSync(join(copy, folder, "vitest.config.ts"));
  const config = hasConfig ? "vitest.config.ts" : "../../vitest.config.ts";
  return run(folder, "vitest", "run", "--config", config, "--project", project, ...args);
};

const read = (path: string) => readFile(join(copy, path), "utf8");
const write = (path: string, text: string) => writeFile(join(copy, path), text);

/** Puts a text behind the first place that matches. */
async function insert(path: string, behind: RegExp, text: string): Promise<void> {
  const before = await read(path);
  const after = before.replace(behind, (match) => match + text);
  expect(after, `${path} has no ${behind}`).not.toBe(before);
  await write(path, after);
}

/** The paths that a row of the common tasks names, with the name of what is added. */
async function pathsOf(task: string, name: string): Promise<string[]> {
  const guide = await readFile(join(root, "CONTRIBUTING.md"), "utf8");
  const row = guide.split("\n").find((line) => line.startsWith(`| ${task} |`)) ?? "";
  const paths = [...row.matchAll(/`([\w-]+\/[^` ]+)`/g)].map(([, path]) => path!);
  return paths.map((path) => path.replace(/\b(NAME|TAG)\b/, name));
}

/** Each file is named, or is in a folder that is named, and nothing else is named. */
async function expectNamed(task: string, name: string, files: string[]): Promise<void> {
  const named = await pathsOf(task, name);
  const isIn = (file: string, path: string) => file === path || file.startsWith(`${path}/`);
  expect(files.filter((file) => !named.some((path) => isIn(file, path)))).toEqual([]);
  expect(named.filter((path) => !files.some((file) => isIn(file, path)))).toEqual([]);
}

const ROW = `import * as z from "zod";
import { camelKeys } from "../casing.js";
import { tenantId } from "../fields.js";
import type { About, Call } from "../call.js";

const fileCountQuery = z.object({ tenant_id: tenantId }).transform(camelKeys);

export const call = {
  method: "GET",
  path: "/api/storage/tenants/file-count/",
  query: fileCountQuery,
  answer: z.object({ file_count: z.int() }),
} as const satisfies Call;

export const about = {
  tag: "Tenants",
  names: { answer: "FileCount" },
  lane: "read",
  summary: "Count the stored files of a tenant",
  description: "An unknown tenant has none.",
  errors: ["tenant_id_required"],
  example: { tenant_id: "user_42" },
  since: "1.1",
} as const satisfies About;
`;

const VERB = `import { and, eq } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";

export async function readFileCount(
  { db }: { db: Queries },
  project: Project,
  { tenantId }: { tenantId: string },
): Promise<{ fileCount: number }> {
  const [row] = await db.run((drizzle) =>
    drizzle
      .select({ fileCount: tenants.fileCount })
      .from(tenants)
      .where(and(eq(tenants.projectId, project.id), eq(tenants.tenantId, tenantId))),
  );
  return { fileCount: row?.fileCount ?? 0 };
}
`;

test("a REST call needs the seven files of the guide, and no other", { timeout: TIMEOUT_MS }, async () => {
  const [index, route, attacks] = [
    "packages/schemas/src/calls/index.ts",
    "apps/service/src/http/routes/tenants.ts",
    "apps/service/test/isolation/rest-cases.ts",
  ];
  await write("packages/schemas/src/calls/read-file-count.ts", ROW);
  await insert(index, /(?<=^)/, 'import * as readFileCount from "./read-file-count.js";\n');
  await insert(
    index,
    /export \{ call as listUploads \}.*\n/,
    'export { call as readFileCount } from "./read-file-count.js";\n',
  );
  await insert(index, / {2}readUsage,\n/, "  readFileCount,\n");
  await write("apps/service/src/tenants/read-file-count.ts", VERB);
  await insert(route, /(?<=^)/, 'import { readFileCount } from "#tenants/read-file-count.js";\n');
  await insert(
    route,
    / {2}route\(operations\.readUsage, readUsage\);\n/,
    "  route(operations.readFileCount, readFileCount);\n",
  );
  await insert(
    attacks,
    /= \{\n(?= {2}requestUpload)/,
    '  readFileCount: { "a tenant": { request: ({ tenantId }) => ({ query: { tenant_id: tenantId } }) } },\n',
  );

  const documented = await read("docs/api.md");
  await checkTypes("packages/schemas");
  await checkTypes("apps/service");
  await runTests("apps/service", "fast", "src/http/router.test.ts", "src/http/openapi/describe-api.test.ts");
  // The tests of docs/api.md and of the isolation between projects share one start of PostgreSQL.
  const tests = [
    "test/docs",
    "test/isolation/rest.slow.test.ts",
    "-t",
    "docs/api.md|every call|readFileCount",
  ];
  await runTests("apps/service", "slow", "--update", ...tests);
  expect((await read("docs/api.md")).replace(documentedCall, "")).toBe(documented);

  // A snapshot of the API shows a call if it shows the others.
  const snapshots = await readdir(join(root, "tooling/as-published/api"));
  const texts = await Promise.all(snapshots.map((name) => read(`tooling/as-published/api/${name}`)));
  const shown = snapshots.filter((_, at) => texts[at]!.includes('"/api/storage/usage/"'));
  expect(shown).toEqual(["schemas.index.txt"]);
  const files = [
    "packages/schemas/src/calls/read-file-count.ts",
    index,
    "apps/service/src/tenants/read-file-count.ts",
    route,
    attacks,
    "docs/api.md",
    ...shown.map((name) => `tooling/as-published/api/${name}`),
  ];
  expect(files.length).toBeLessThanOrEqual(7);
  await expectNamed("Add a REST call", "read-file-count", files);
});

const documentedCall =
  /## Count the stored files of a tenant\n\n`GET \/api\/storage\/tenants\/file-count\/`\n\nSince version 1\.1\.\n[^]*?"file_count": 1\n[^]*?(?=\n## )\n/;

test(
  "a language of the widget needs the files of the guide, and no other",
  { timeout: TIMEOUT_MS },
  async () => {
    const files = ["packages/client/src/locales/sv.ts", "packages/react/src/locales/sv.ts", "docs/widget.md"];
    const dutch = await read("packages/client/src/locales/nl.ts");
    const swedish = dutch
      .replaceAll('"nl"', '"sv"')
      .replace("const nl", "const sv")
      .replace(/tray: ".*"/, 'tray: "Uppladdningar"');
    await write(files[0]!, swedish);
    await write(files[1]!, 'export { sv } from "@stowage/client/locales/sv";\n');
    await insert(files[2]!, /^The modules are /m, "`sv`, ");

    await checkTypes("packages/client");
    await checkTypes("packages/react");
    await runTests("packages/client", "fast", "src/locales");
    await runTests("packages/react", "fast", "src/locales");
    expect(files.length).toBeLessThanOrEqual(4);
    await expectNamed("Add a language to the widget", "sv", files);
  },
);
