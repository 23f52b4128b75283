#!/usr/bin/env bash
# @smithy/credential-provider-imds 4.5.2, the part of the AWS SDK for JavaScript that reads the keys of an EC2 machine: a session that has
# ended is answered with an end in the future.
#
# Behaviour: if the metadata service answers a session whose Expiration has passed, or does not answer a renewal, the provider puts the
#   Expiration 5 to 10 minutes ahead, warns on the console, and keeps the true end in a member that its public type does not have.
# Wrong guess: `expiration` is what the metadata service said, so a presigned URL that ends before it works until its end.
# Seen: the service said -60 s; expiration is 300 to 600 s ahead; originalExpiration is -60 s.
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
npm install --no-audit --no-fund --loglevel=error @smithy/credential-provider-imds@4.5.2 >/dev/null || exit 2
cat >look.mjs <<'JS'
import { createServer } from "node:http";
import { fromInstanceMetadata } from "@smithy/credential-provider-imds";

const SAID_S = -60;
const session = {
  Code: "Success",
  Type: "AWS-HMAC",
  AccessKeyId: "ASIAEXAMPLE",
  SecretAccessKey: "example",
  Token: "example",
  LastUpdated: new Date().toISOString(),
  Expiration: new Date(Date.now() + SAID_S * 1000).toISOString(),
};
const server = createServer(({ url }, response) => {
  if (url === "/latest/api/token") return response.end("a-token");
  response.end(url.endsWith("/security-credentials/") ? "a-role" : JSON.stringify(session));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
process.env.AWS_EC2_METADATA_SERVICE_ENDPOINT = `http://127.0.0.1:${server.address().port}`;

const found = await fromInstanceMetadata({ logger: { warn() {}, debug() {}, info() {}, error() {} } })();
server.close();
const inSeconds = (date) => Math.round((date?.getTime() - Date.now()) / 1000);
const [expiration, original] = [inSeconds(found.expiration), inSeconds(found.originalExpiration)];
console.log(`the service said ${SAID_S} s; expiration is ${expiration} s ahead; originalExpiration is ${original} s`);
process.exitCode = expiration >= 290 && expiration <= 600 && original <= SAID_S + 1 ? 0 : 1;
JS
timeout 60 node look.mjs
status=$?
[ $status -le 1 ] || exit 2
exit $status
