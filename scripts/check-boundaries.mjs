// Plants a violation of each row of ARCHITECTURE.md's import table, in .ts and .tsx, and code that no component may run, in a temporary copy
// of the folders and checks that the linter refuses it with the right message. Without this check, a rule that no longer matches would go
// unnoticed.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const oxlint = join(root, "node_modules", "oxlint", "bin", "oxlint");

/** The file, its import, and a part of the expected message; null if the import is allowed. */
const plants = [
  ["packages/schemas/src/a.ts", "mime-types", "schemas may import zod only"],
  ["packages/schemas/src/b.ts", "@stowage/server", "schemas may import zod only"],
  ["packages/schemas/src/c.ts", "zod", null],
  ["packages/schemas/src/d.ts", "./c.js", null],
  ["packages/operator-schemas/src/a.ts", "@stowage/server", "operator-schemas may import zod and"],
  ["packages/operator-schemas/src/b.ts", "@stowage/schemas", null],
  ["packages/acceptance/src/a.ts", "@stowage/schemas", "The acceptance suite may import nothing of ours"],
  ["packages/acceptance/src/cases/b.ts", "../../../schemas/src/errors.js", "The acceptance suite may import"],
  ["packages/acceptance/src/cases/c.ts", "../expect/match.js", null],
  ["packages/acceptance/src/d.ts", "node:crypto", null],
  ["packages/server/src/a.ts", "@stowage/react", "A package may import @stowage/schemas only"],
  ["packages/server/src/adapters/b.ts", "../../../apps/service/src/app.js", "Import a package by its name"],
  ["packages/server/src/c.ts", "@stowage/schemas", null],
  ["packages/react/src/a.ts", "@stowage/schemas", "The widget may import only types"],
  ["packages/react/src/b.ts", "zod", "The widget may not import zod"],
  ["packages/react/src/c.ts", "@stowage/server", "The widget may import @stowage/client"],
  ["packages/react/src/d.ts", "@stowage/client/internals", null],
  ["packages/element/src/a.ts", "@stowage/react", "The element may import @stowage/client"],
  ["packages/element/src/b.ts", "react", "The element has no framework"],
  ["packages/element/src/c.ts", "@stowage/client/internals", null],
  ["packages/client/src/a.ts", "@stowage/schemas", "The widget may import only types"],
  ["packages/client/src/store/a.ts", "@stowage/schemas/rules", null],
  ["packages/client/src/testing/a.ts", "@stowage/schemas/errors", null],
  ["packages/client/src/store/b.ts", "zod", "The widget may not import zod"],
  ["packages/client/src/b.ts", "react", "The client may not import React"],
  ["packages/client/src/c.ts", "@stowage/react", "A package may import @stowage/schemas only"],
  ["packages/dev-store/src/a.ts", "@stowage/service", "A package may import @stowage/schemas only"],
  ["apps/service/src/files/a.ts", "#http/router.js", "A verb may not import http/"],
  ["apps/service/src/files/b.ts", "../http/router.js", "A verb may not import http/"],
  ["apps/service/src/tenants/c.ts", "@aws-sdk/client-s3", "A verb may not import the S3 adapter"],
  ["apps/service/src/projects/d.ts", "#object-store/s3.js", "A verb may not import the S3 adapter"],
  ["apps/service/src/files/e.ts", "fastify", "A verb may not import Fastify or tRPC"],
  ["apps/service/src/files/f.ts", "#config.js", "Only serve.ts, cli/ and tests may import"],
  ["apps/service/src/storage-events/a.ts", "#http/router.js", "A verb may not import http/"],
  ["apps/service/src/files/z.ts", "#telemetry/tracing/tracing.js", "Only compose.ts and serve.ts may import"],
  ["apps/service/src/http/z.ts", "#telemetry/tracing/tracing.js", "Only compose.ts and serve.ts may import"],
  ["apps/service/src/db/z.ts", "../telemetry/tracing/tracing.js", "Only compose.ts and serve.ts may import"],
  ["apps/service/src/telemetry/tracing/a.ts", "drizzle-orm", "telemetry/tracing/ may import OpenTelemetry"],
  ["apps/service/src/telemetry/tracing/b.ts", "@opentelemetry/api", null],
  ["apps/service/src/files/g.ts", "#db/client.js", null],
  ["apps/service/src/files/h.ts", "#object-store/object-store.js", null],
  [
    "apps/service/src/object-store/a.ts",
    "#files/upload/request-upload.js",
    "object-store/ may import its port",
  ],
  ["apps/service/src/object-store/b.ts", "@aws-sdk/client-s3", null],
  ["apps/service/src/db/a.ts", "#files/upload/request-upload.js", "db/ is below the verbs"],
  ["apps/service/src/http/routes/a.ts", "drizzle-orm", "http/, trpc/ and jobs/ may not use the database"],
  [
    "apps/service/src/http/routes/b.ts",
    "#db/schema/index.js",
    "http/, trpc/ and jobs/ may not use the database",
  ],
  ["apps/service/src/http/c.ts", "#trpc/router.js", "http/, trpc/, jobs/ and cli/ may not import each other"],
  ["apps/service/src/http/routes/d.ts", "#files/upload/request-upload.js", null],
  ["apps/service/src/jobs/a.ts", "#http/router.js", "http/, trpc/, jobs/ and cli/ may not import each other"],
  ["apps/service/src/jobs/b.ts", "drizzle-orm", "http/, trpc/ and jobs/ may not use the database"],
  ["apps/service/src/jobs/c.ts", "#files/settle/sweep-uploads.js", null],
  ["apps/service/src/health/b.ts", "#telemetry/metrics/metrics.js", "A verb may not import http/"],
  ["apps/service/src/telemetry/metrics/a.ts", "drizzle-orm", "telemetry/metrics/ may not use the database"],
  ["apps/service/src/telemetry/metrics/b.ts", "#http/router.js", "telemetry/metrics/ may not import http/"],
  ["apps/service/src/telemetry/metrics/c.ts", "#health/background.js", null],
  ["apps/service/src/telemetry/metrics/d.ts", "prom-client", null],
  ["apps/service/src/health/a.ts", "#http/router.js", "A verb may not import http/"],
  ["packages/dev-postgres/src/a.ts", "@stowage/service/main", "A package may import @stowage/schemas only"],
  ["apps/service/src/reconcile/a.ts", "#cli/print.js", "A verb may not import http/"],
  ["apps/service/src/reconcile/b.ts", "#object-store/s3-bucket.js", "A verb may not import the S3 adapter"],
  ["apps/service/src/doctor/probes/a.ts", "@aws-sdk/client-s3", "A verb may not import the S3 adapter"],
  ["apps/service/src/doctor/b.ts", "#config.js", "Only serve.ts, cli/ and tests may import"],
  ["apps/service/src/doctor/c.ts", "#object-store/object-store.js", null],
  ["apps/service/src/auth/a.ts", "#trpc/router.js", "A verb may not import http/"],
  ["apps/service/src/auth/b.ts", "@trpc/server", "A verb may not import Fastify or tRPC"],
  ["apps/service/src/auth/c.ts", "better-auth/minimal", "A verb may not import better-auth"],
  ["apps/service/src/auth/d.ts", "./better-auth.js", "A verb may not import better-auth"],
  ["apps/service/src/projects/e.ts", "#auth/better-auth.js", "A verb may not import better-auth"],
  ["apps/service/src/projects/f.ts", "#auth/better-auth-totp.js", "A verb may not import better-auth"],
  ["apps/service/src/auth/e.ts", "./sign-in.js", null],
  ["apps/service/src/auth/f.ts", "#projects/regenerate-key.js", null],
  ["apps/dashboard/src/features/files/a.ts", "../tenants/b.js", "A feature may not import another feature"],
  ["apps/dashboard/src/features/auth/a.ts", "../account/b.js", "A feature may not import another feature"],
  ["apps/dashboard/src/features/account/a.ts", "../auth/b.js", "A feature may not import another feature"],
  ["apps/dashboard/src/features/members/a.ts", "../auth/b.js", "A feature may not import another feature"],
  [
    "apps/dashboard/src/features/overview/quickstart/a.ts",
    "../../projects/b.js",
    "A feature may not import another feature",
  ],
  ["apps/dashboard/src/features/overview/quickstart/b.ts", "../../../components/page.js", null],
  ["apps/dashboard/src/features/files/b.ts", "../../components/page.js", null],
  ["apps/dashboard/src/features/files/c.ts", "@stowage/service/trpc", "The dashboard may import only types"],
  [
    "apps/dashboard/src/components/a.ts",
    "../features/files/files-page.js",
    "A component may not import features/",
  ],
  ["apps/dashboard/src/trpc.ts", "@stowage/service/trpc", "The dashboard may import only types"],
  ["apps/service/src/auth/better-auth.ts", "#projects/find-project.js", "The better-auth adapter may import"],
  ["apps/service/src/auth/auth-database.ts", "better-auth/adapters/drizzle", null],
  ["apps/service/src/auth/better-auth-totp.ts", "better-auth/crypto", null],
  [
    "apps/service/src/auth/better-auth-a.ts",
    "#projects/find-project.js",
    "The better-auth adapter may import",
  ],
  ["apps/service/src/files/settle/a.ts", "#http/router.js", "A verb may not import http/"],
  ["apps/service/src/members/a.ts", "#trpc/router.js", "A verb may not import http/"],
  ["apps/service/src/members/b.ts", "#auth/better-auth.js", "A verb may not import better-auth"],
  ["apps/service/src/members/c.ts", "#audit/audited.js", null],
  ["apps/service/src/purge/a.ts", "#http/router.js", "A verb may not import http/"],
  ["apps/service/src/purge/b.ts", "@aws-sdk/client-s3", "A verb may not import the S3 adapter"],
  ["apps/service/src/purge/c.ts", "#projects/regenerate-key.js", null],
  ["apps/service/src/links/a.ts", "#http/router.js", "A verb may not import http/"],
  ["apps/service/src/relocate/a.ts", "@aws-sdk/client-s3", "A verb may not import the S3 adapter"],
  ["apps/service/src/follow/a.ts", "#trpc/router.js", "A verb may not import http/"],
  ["apps/service/src/lib/a.ts", "#files/find-file.js", "lib/ may not import the rest of the service"],
  ["apps/service/src/lib/b.ts", "../db/client.js", "lib/ may not import the rest of the service"],
  ["apps/service/src/lib/c.ts", "./base62.js", null],
  ["apps/service/src/lib/d.ts", "@stowage/schemas", null],
  ["apps/service/src/audit/a.ts", "fastify", "A verb may not import Fastify or tRPC"],
  ["apps/service/src/audit/b.ts", "#db/schema/index.js", null],
  ["apps/service/src/db/b.ts", "#audit/write-audit.js", "db/ is below the verbs"],
  ["apps/service/src/object-store/c.ts", "#audit/write-audit.js", "object-store/ may import its port"],
  ["apps/service/src/trpc/routers/a.ts", "drizzle-orm", "http/, trpc/ and jobs/ may not use the database"],
  [
    "apps/service/src/trpc/routers/b.ts",
    "#db/schema/index.js",
    "http/, trpc/ and jobs/ may not use the database",
  ],
  ["apps/service/src/trpc/routers/c.ts", "@trpc/server", "Build a procedure with procedureFor"],
  ["apps/service/src/trpc/routers/d.ts", "../procedures.js", null],
  ["apps/service/src/trpc/c.ts", "#http/router.js", "http/, trpc/, jobs/ and cli/ may not import each other"],
  ["apps/service/src/trpc/d.ts", "#auth/better-auth.js", "http/, trpc/ and jobs/ may not use the database"],
  ["apps/service/src/trpc/routers/e.ts", "#members/create-owned-project.js", null],
  ["apps/service/src/http/routes/e.ts", "better-auth", "http/, trpc/ and jobs/ may not use the database"],
  ["apps/service/src/cli/a.ts", "drizzle-orm", "A command may not use the database"],
  ["apps/service/src/cli/b.ts", "#db/schema/index.js", "A command may not use the database"],
  ["apps/service/src/cli/c.ts", "#http/router.js", "cli/ may not import http/"],
  ["apps/service/src/cli/d.ts", "#compose-cli.js", null],
  ["apps/service/src/cli/f.ts", "#compose.js", "cli/ may not import http/"],
  ["apps/service/src/files/i.ts", "#compose-adapters.js", "Only serve.ts, cli/ and tests may import"],
  ["apps/service/src/cli/e.ts", "#reconcile/reconcile.js", null],
  ["apps/service/test/acceptance/a.test.ts", "#compose.js", "Acceptance tests use the service"],
  ["apps/service/test/http/a.test.ts", "#compose.js", null],
  ["apps/example/src/a.ts", "../../service/src/app.js", "Import a package by its name"],
  ["e2e/widget/fixtures/a.ts", "../../../apps/local/src/run-local.js", "Import a package by its name"],
  ["e2e/widget/fixtures/b.ts", "@stowage/local/src/run-local.js", null],
  ["lab/soak/a.ts", "../../apps/service/src/app.js", "Import a package by its name"],
  ["lab/soak/b.ts", "@stowage/service/src/app.js", null],
  ["lab/bench/src/b.ts", "@stowage/service/src/app.js", "Import a package by its name"],
  ["lab/bench/src/a.ts", "../../../apps/service/src/app.js", "Import a package by its name"],
];

/** Files that rules name by their whole name: no .tsx file has it. */
const NAMED = /\/(better-auth[^/]*|auth-database|trpc|a\.test)\.ts$/;
plants.push(...plants.filter(([file]) => !NAMED.test(file)).map(([file, ...rest]) => [`${file}x`, ...rest]));

const componentOf = (read) => `export function A() {\n  return <p>{${read}}</p>;\n}\n`;
/** The file, its code, and a part of the rule and its message; null if the code is allowed. */
const impurePlants = [
  ["packages/react/src/pa.tsx", componentOf("Date.now()"), "react(purity)"],
  ["packages/react/src/pb.tsx", componentOf("new Date().getTime()"), "`new Date()` tells the time"],
  ["packages/react/src/pc.tsx", componentOf("new Date(0).getTime()"), null],
  [
    "packages/react/src/pd.tsx",
    `import { useState } from "react";\n\n${componentOf("useState(() => Math.random())[0]")}`,
    "`Math.random` is impure",
  ],
  [
    "packages/react/src/pe.ts",
    "export const idOf = () => crypto.randomUUID();\n",
    "`crypto.randomUUID` is impure",
  ],
  [
    "packages/react/src/pf.ts",
    "export const at = () => globalThis.performance.now();\n",
    "`performance.now` is",
  ],
  [
    "packages/react/src/pg.tsx",
    `import { useRef } from "react";\n\n${componentOf("useRef(0).current")}`,
    "react(refs)",
  ],
  ["packages/react/src/ph.tsx", componentOf('typeof window === "undefined"'), "`typeof window` differs"],
  ["packages/react/src/pi.ts", 'export const isPage = typeof document !== "undefined";\n', null],
  ["packages/client/src/store/pa.ts", "export const at = () => Date.now();\n", "`Date.now` is impure"],
  ["packages/client/src/runtime.ts", "export const now = () => Date.now();\n", null],
  [
    "packages/element/src/pa.ts",
    "export const text = (n: number) => n.toLocaleString();\n",
    "without a locale",
  ],
  [
    "packages/registry/registry/stowage/pa.tsx",
    componentOf("new Intl.NumberFormat().format(1)"),
    "without a locale",
  ],
  ["packages/create-stowage/templates/react/pa.tsx", componentOf("Math.random()"), "`Math.random` is impure"],
  ["apps/dashboard/src/pa.tsx", componentOf("Date.now()"), "react(purity)"],
];

const copy = mkdtempSync(join(tmpdir(), "stowage-boundaries-"));
try {
  cpSync(join(root, ".oxlintrc.json"), join(copy, ".oxlintrc.json"));
  for (const [file, specifier] of plants) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(
      join(copy, file),
      `import { planted } from "${specifier}";\n\nexport const used = planted();\n`,
    );
  }
  writeFileSync(join(copy, "apps/service/src/files/env.ts"), "export const home = process.env.HOME;\n");
  cpSync(join(root, "scripts/oxlint-pure-render.mjs"), join(copy, "scripts/oxlint-pure-render.mjs"));
  for (const [file, code] of impurePlants) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), code);
  }
  const findings = lint(copy);
  const failures = plants.flatMap(([file, specifier, message]) => {
    const reported = findings.filter(
      (finding) => finding.filename === file && finding.code.includes("no-restricted-imports"),
    );
    const isExpected =
      message === null ? reported.length === 0 : reported.some((finding) => finding.text.includes(message));
    return isExpected
      ? []
      : [
          `${file} importing ${specifier}: expected ${message ?? "no finding"}, got ${JSON.stringify(reported)}`,
        ];
  });
  if (
    !findings.some((f) => f.filename === "apps/service/src/files/env.ts" && f.code.includes("no-process-env"))
  ) {
    failures.push("apps/service/src/files/env.ts reads process.env and is not refused");
  }
  for (const [file, , message] of impurePlants) {
    const reported = findings.filter(
      (finding) => finding.filename === file && /pure-render|^react/.test(finding.code),
    );
    const isExpected =
      message === null
        ? reported.length === 0
        : reported.some(({ code, text }) => `${code} ${text}`.includes(message));
    if (!isExpected)
      failures.push(`${file}: expected ${message ?? "no finding"}, got ${JSON.stringify(reported)}`);
  }
  for (const failure of failures) console.error(failure);
  const count = plants.length + impurePlants.length + 1;
  console.log(`boundaries: ${count - failures.length} of ${count} planted violations got the right result`);
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
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
