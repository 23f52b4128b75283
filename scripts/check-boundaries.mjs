// Plants one violation of each row of ARCHITECTURE.md's layer table in a copy of the tree's outline and sees that the
// linter refuses it with the sentence that names the right way. A rule that stopped matching would pass in silence.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const oxlint = join(root, "node_modules", "oxlint", "bin", "oxlint");

/** file, import, start of the message; null: must pass. */
const plants = [
  ["packages/schemas/src/a.ts", "mime-types", "schemas depends on zod alone"],
  ["packages/schemas/src/b.ts", "@stowage/server", "schemas depends on zod alone"],
  ["packages/schemas/src/c.ts", "zod", null],
  ["packages/schemas/src/d.ts", "./c.js", null],
  ["packages/server/src/a.ts", "@stowage/react", "Packages know @stowage/schemas alone"],
  ["packages/server/src/adapters/b.ts", "../../../apps/service/src/app.js", "Import a package by its name"],
  ["packages/server/src/c.ts", "@stowage/schemas", null],
  ["packages/react/src/a.ts", "@stowage/schemas", "The widget takes types alone"],
  ["packages/react/src/core/a.ts", "@stowage/schemas/rules", null],
  ["packages/react/src/testing/a.ts", "@stowage/schemas/errors", null],
  ["packages/react/src/core/b.ts", "zod", "Keep zod, tRPC and query clients out"],
  ["packages/react/src/c.ts", "@stowage/server", "Packages know @stowage/schemas alone"],
  ["packages/dev-store/src/a.ts", "@stowage/service", "Packages know @stowage/schemas alone"],
  ["apps/service/src/files/a.ts", "#http/router.js", "A verb does not know who calls it"],
  ["apps/service/src/files/b.ts", "../http/router.js", "A verb does not know who calls it"],
  ["apps/service/src/tenants/c.ts", "@aws-sdk/client-s3", "A verb knows storage by its port"],
  ["apps/service/src/projects/d.ts", "#object-store/s3.js", "A verb knows storage by its port"],
  ["apps/service/src/files/e.ts", "fastify", "A verb takes parsed input"],
  ["apps/service/src/files/f.ts", "#config.js", "Only serve.ts, the command line and tests import"],
  ["apps/service/src/storage-events/a.ts", "#http/router.js", "A verb does not know who calls it"],
  ["apps/service/src/files/g.ts", "#db/client.js", null],
  ["apps/service/src/files/h.ts", "#object-store/object-store.js", null],
  ["apps/service/src/object-store/a.ts", "#files/request-upload.js", "The object store knows its port"],
  ["apps/service/src/object-store/b.ts", "@aws-sdk/client-s3", null],
  ["apps/service/src/db/a.ts", "#files/request-upload.js", "The database layer is below the verbs"],
  ["apps/service/src/http/routes/a.ts", "drizzle-orm", "A face parses, calls one verb"],
  ["apps/service/src/http/routes/b.ts", "#db/schema/index.js", "A face parses, calls one verb"],
  ["apps/service/src/http/c.ts", "#trpc/router.js", "Faces do not know each other"],
  ["apps/service/src/http/routes/d.ts", "#files/request-upload.js", null],
  ["apps/service/src/jobs/a.ts", "#http/router.js", "Faces do not know each other"],
  ["apps/service/src/jobs/b.ts", "drizzle-orm", "A face parses, calls one verb"],
  ["apps/service/src/jobs/c.ts", "#files/sweep-uploads.js", null],
  ["apps/service/src/health/a.ts", "#http/router.js", "A verb does not know who calls it"],
  ["packages/dev-postgres/src/a.ts", "@stowage/service/main", "Packages know @stowage/schemas alone"],
  ["apps/service/src/reconcile/a.ts", "#cli/print.js", "A verb does not know who calls it"],
  ["apps/service/src/reconcile/b.ts", "#object-store/s3-bucket.js", "A verb knows storage by its port"],
  ["apps/service/src/doctor/probes/a.ts", "@aws-sdk/client-s3", "A verb knows storage by its port"],
  ["apps/service/src/doctor/b.ts", "#config.js", "Only serve.ts, the command line and tests import"],
  ["apps/service/src/doctor/c.ts", "#object-store/object-store.js", null],
  ["apps/service/src/operators/a.ts", "#trpc/router.js", "A verb does not know who calls it"],
  ["apps/service/src/operators/b.ts", "@trpc/server", "A verb takes parsed input"],
  ["apps/service/src/operators/c.ts", "better-auth/minimal", "A verb knows sign-in by its port"],
  ["apps/service/src/operators/d.ts", "./better-auth.js", "A verb knows sign-in by its port"],
  ["apps/service/src/projects/e.ts", "#operators/better-auth.js", "A verb knows sign-in by its port"],
  ["apps/service/src/operators/e.ts", "./sign-in.js", null],
  ["apps/service/src/operators/f.ts", "#projects/regenerate-key.js", null],
  ["apps/dashboard/src/features/files/a.ts", "../tenants/b.js", "A feature does not know another"],
  ["apps/dashboard/src/features/files/b.ts", "../../components/page.js", null],
  [
    "apps/dashboard/src/features/files/c.ts",
    "@stowage/service/trpc",
    "The dashboard knows the service by its types",
  ],
  [
    "apps/dashboard/src/components/a.ts",
    "../features/files/files-page.js",
    "A component does not know who uses it",
  ],
  ["apps/dashboard/src/trpc.ts", "@stowage/service/trpc", "The dashboard knows the service by its types"],
  ["apps/service/src/operators/better-auth.ts", "#projects/find-project.js", "The sign-in library knows"],
  ["apps/service/src/operators/auth-database.ts", "better-auth/adapters/drizzle", null],
  ["apps/service/src/audit/a.ts", "fastify", "A verb takes parsed input"],
  ["apps/service/src/audit/b.ts", "#db/schema/index.js", null],
  ["apps/service/src/db/b.ts", "#audit/write-audit.js", "The database layer is below the verbs"],
  ["apps/service/src/object-store/c.ts", "#audit/write-audit.js", "The object store knows its port"],
  ["apps/service/src/trpc/routers/a.ts", "drizzle-orm", "A face parses, calls one verb"],
  ["apps/service/src/trpc/routers/b.ts", "#db/schema/index.js", "A face parses, calls one verb"],
  ["apps/service/src/trpc/routers/c.ts", "@trpc/server", "A procedure begins with one of procedureFor"],
  ["apps/service/src/trpc/routers/d.ts", "../init.js", null],
  ["apps/service/src/trpc/c.ts", "#http/router.js", "Faces do not know each other"],
  ["apps/service/src/trpc/d.ts", "#operators/better-auth.js", "A face parses, calls one verb"],
  ["apps/service/src/trpc/routers/e.ts", "#operators/own-project.js", null],
  ["apps/service/src/http/routes/e.ts", "better-auth", "A face parses, calls one verb"],
  ["apps/service/src/cli/a.ts", "drizzle-orm", "A command parses, calls one verb and prints"],
  ["apps/service/src/cli/b.ts", "#db/schema/index.js", "A command parses, calls one verb and prints"],
  ["apps/service/src/cli/c.ts", "#http/router.js", "Faces do not know each other"],
  ["apps/service/src/cli/d.ts", "#compose.js", null],
  ["apps/service/src/cli/e.ts", "#reconcile/reconcile.js", null],
  ["apps/service/test/acceptance/a.test.ts", "#compose.js", "Acceptance tests see the service"],
  ["apps/service/test/contracts/a.test.ts", "#compose.js", null],
  ["apps/example/src/a.ts", "../../service/src/app.js", "Import a package by its name"],
  ["bench/src/a.ts", "../../apps/service/src/app.js", "Import a package by its name"],
];

const outline = mkdtempSync(join(tmpdir(), "stowage-boundaries-"));
try {
  cpSync(join(root, ".oxlintrc.json"), join(outline, ".oxlintrc.json"));
  for (const [file, specifier] of plants) {
    mkdirSync(dirname(join(outline, file)), { recursive: true });
    writeFileSync(
      join(outline, file),
      `import { planted } from "${specifier}";\n\nexport const used = planted();\n`,
    );
  }
  writeFileSync(join(outline, "apps/service/src/files/env.ts"), "export const home = process.env.HOME;\n");
  const findings = lint(outline);
  const failures = plants.flatMap(([file, specifier, message]) => {
    const said = findings.filter(
      (finding) => finding.filename === file && finding.code.includes("no-restricted-imports"),
    );
    const isRight =
      message === null ? said.length === 0 : said.some((finding) => finding.text.includes(message));
    return isRight
      ? []
      : [`${file} importing ${specifier}: expected ${message ?? "no finding"}, got ${JSON.stringify(said)}`];
  });
  if (
    !findings.some((f) => f.filename === "apps/service/src/files/env.ts" && f.code.includes("no-process-env"))
  ) {
    failures.push("apps/service/src/files/env.ts reads process.env and is not refused");
  }
  for (const failure of failures) console.error(failure);
  console.log(
    `boundaries: ${plants.length + 1 - failures.length} of ${plants.length + 1} planted imports judged rightly`,
  );
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  rmSync(outline, { recursive: true, force: true });
}

function lint(dir) {
  let output;
  try {
    output = execFileSync(process.execPath, [oxlint, "-f", "json"], { cwd: dir, encoding: "utf8" });
  } catch (error) {
    output = error.stdout;
  }
  return JSON.parse(output).diagnostics.map(({ filename, code, message, help }) => ({
    filename,
    code,
    text: `${message} ${help ?? ""}`,
  }));
}
