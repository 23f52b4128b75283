// `pnpm lab house`: counts how hard the house is to take over, in this checkout. The figures that need a change on a branch are not here.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
const files = git("ls-files").split("\n").filter(Boolean);
const read = (path) => readFileSync(new URL(path, `file://${root}`), "utf8");
const lines = (paths) => paths.reduce((sum, path) => sum + read(path).split("\n").length - 1, 0);
const ofDatabase = files.filter((path) =>
  /^apps\/service\/(drizzle|src\/db\/(migrations|functions))\//.test(path),
);
const sql = ofDatabase.filter((path) => path.endsWith(".sql"));
const definitions = (path) => read(path).match(/\bcreate (or replace )?function\b/gi)?.length ?? 0;
const filesTable = read("apps/service/src/db/schema/files.ts");
/** A kind is the part of a file's name that says how its tests run: `slow.test`, `lab`. A topic in the name, `x.callbacks.test.ts`, is none. */
const KINDS = /\.((?:slow\.|nightly\.)?test|[a-z]+)\.tsx?$/;
/** Names that say what a file has, and not how tests run. */
const OTHERS = new Set(["d", "types", "config", "base", "progress"]);
const kinds = new Set(
  files
    .filter((path) => !/\/(templates|src|app|apps|customer)\//.test(path) || /\.test\.tsx?$/.test(path))
    .flatMap((path) => KINDS.exec(path)?.[1] ?? [])
    .filter((kind) => !OTHERS.has(kind)),
);

const rows = {
  "definitions of SQL functions / files with some": `${sql.reduce((sum, path) => sum + definitions(path), 0)} / ${sql.filter(definitions).length}`,
  "lines of migrations, snapshots and functions": lines(ofDatabase),
  "columns of `files`": filesTable.match(/^ {4}\w+: \w+\(/gm).length,
  "partial indexes of `files`": filesTable.match(/\.where\(/g).length,
  "kinds of test files": `${kinds.size} (${[...kinds].toSorted().join(", ")})`,
  "vitest configs": files.filter((path) => /(^|\/)vitest[\w.]*\.ts$/.test(path)).length,
  "root scripts": Object.keys(JSON.parse(read("package.json")).scripts).length,
  "files that write a lease": files.filter(
    (path) => /^apps\/service\/src\/.*(?<!test)\.ts$/.test(path) && /const \w*LEASE_MS =/.test(read(path)),
  ).length,
};
for (const [what, count] of Object.entries(rows)) console.log(`${what.padEnd(48)} ${count}`);
execFileSync(process.execPath, ["scripts/check-floors.mjs"], { cwd: root, stdio: "inherit" });
