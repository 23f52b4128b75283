#!/usr/bin/env bash
# svix 2.5.0 and standardwebhooks 1.1.1: what `Webhook.verify` takes and returns.
#
# Behaviour: `verify` of svix 2 returns undefined, where svix 1 and standardwebhooks return the parsed body. Both take headers only as a
#   plain object: given a `Headers` of the Fetch standard, which has all three headers, they throw "Missing required headers".
# Wrong guess: `const event = wh.verify(body, request.headers)` works with each library of Standard Webhooks.
# Seen:
#   standardwebhooks 1.1.1, plain object: {"type":"file.stored"}
#   standardwebhooks 1.1.1, Headers: Missing required headers
#   svix 1.99.1, plain object: {"type":"file.stored"}
#   svix 1.99.1, Headers: Missing required headers
#   svix 2.5.0, plain object: undefined
#   svix 2.5.0, Headers: Missing required headers
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
npm install --no-audit --no-fund --loglevel=error standardwebhooks@1.1.1 svix-1@npm:svix@1.99.1 svix-2@npm:svix@2.5.0 >/dev/null || exit 2

cat >look.mjs <<'JS'
import { readFileSync } from "node:fs";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const body = JSON.stringify({ type: "file.stored" });
for (const name of ["standardwebhooks", "svix-1", "svix-2"]) {
  const { Webhook } = await import(name);
  const { version, name: real } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  const at = new Date();
  const webhook = new Webhook(secret);
  const plain = {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": webhook.sign("evt_1", at, body),
  };
  for (const [kind, headers] of [["plain object", plain], ["Headers", new Headers(plain)]]) {
    let seen;
    try {
      seen = JSON.stringify(await webhook.verify(body, headers));
    } catch (error) {
      seen = error.message;
    }
    console.log(`${real} ${version}, ${kind}: ${seen}`);
  }
}
JS
seen=$(node look.mjs) || exit 2
echo "$seen"
[ "$seen" = "standardwebhooks 1.1.1, plain object: {\"type\":\"file.stored\"}
standardwebhooks 1.1.1, Headers: Missing required headers
svix 1.99.1, plain object: {\"type\":\"file.stored\"}
svix 1.99.1, Headers: Missing required headers
svix 2.5.0, plain object: undefined
svix 2.5.0, Headers: Missing required headers" ] && exit 0
echo "changed"
exit 1
