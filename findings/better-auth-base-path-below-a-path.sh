#!/usr/bin/env bash
# better-auth 1.7.25: below a path of the host, `basePath` is ignored without a word.
#
# Behaviour: with `baseURL: "https://tools.example/app"` and `basePath: "/auth"`, the routes are at /app, not at /app/auth: a path in
#   baseURL takes the place of basePath. Without a path in baseURL, basePath counts.
# Wrong guess: the two are joined, so that an application moves below a path by its baseURL alone.
# Seen:
#   baseURL https://tools.example      basePath /auth: GET /auth/ok 200
#   baseURL https://tools.example/app  basePath /auth: GET /app/auth/ok 404, GET /app/ok 200
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
npm install --no-audit --no-fund --loglevel=error better-auth@1.7.25 >/dev/null || exit 2
cat >look.mjs <<'JS'
import { betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";

async function statusOf(baseURL, path) {
  const auth = betterAuth({
    baseURL,
    basePath: "/auth",
    secret: "0123456789abcdef0123456789abcdef",
    database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    logger: { disabled: true },
    telemetry: { enabled: false },
  });
  return (await auth.handler(new Request(`https://tools.example${path}`))).status;
}

const [root, app] = ["https://tools.example", "https://tools.example/app"];
const found = [await statusOf(root, "/auth/ok"), await statusOf(app, "/app/auth/ok"), await statusOf(app, "/app/ok")];
console.log(`baseURL ${root}      basePath /auth: GET /auth/ok ${found[0]}`);
console.log(`baseURL ${app}  basePath /auth: GET /app/auth/ok ${found[1]}, GET /app/ok ${found[2]}`);
process.exitCode = found.join() === "200,404,200" ? 0 : 1;
JS
timeout 60 node look.mjs
status=$?
[ $status -le 1 ] || exit 2
exit $status
