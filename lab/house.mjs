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
const kindOf = (path) => /\.(test|slow\.test|[a-z]+)\.tsx?$/.exec(path)?.[1];
const tests = files.filter(
  (path) =>
    /\.tsx?$/.test(path) &&
    /(^|\/)(test|src)\//.test(path) &&
    /\.(slow\.|nightly\.)?test\.|\.(debian|citus|ceph|upgrade|restore|failover|soak|clients|pooler)\.ts$/.test(
      path,
    ),
);

const rows = {
  "definitions of SQL functions / files with some": `${sql.reduce((sum, path) => sum + definitions(path), 0)} / ${sql.filter(definitions).length}`,
  "lines of migrations, snapshots and functions": lines(ofDatabase),
  "columns of `files`": filesTable.match(/^ {4}\w+: \w+\(/gm).length,
  "partial indexes of `files`": filesTable.match(/\.where\(/g).length,
  "kinds of test files": new Set(tests.map(kindOf)).size,
  "vitest configs": files.filter((path) => /(^|\/)vitest[\w.]*\.ts$/.test(path)).length,
  "root scripts": Object.keys(JSON.parse(read("package.json")).scripts).length,
  "files that write a lease": files.filter(
    (path) => /^apps\/service\/src\/.*(?<!test)\.ts$/.test(path) && /const \w*LEASE_MS =/.test(read(path)),
  ).length,
};
for (const [what, count] of Object.entries(rows)) console.log(`${what.padEnd(48)} ${count}`);
execFileSync(process.execPath, ["scripts/check-floors.mjs"], { cwd: root, stdio: "inherit" });
