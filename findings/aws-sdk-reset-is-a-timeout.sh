#!/usr/bin/env bash
# @aws-sdk/client-s3 3.1169.0: a connection that the server closes at once is a TimeoutError, and a streamed body makes the SDK write to the
#   console.
#
# Behaviour: a server closes the connection when the first bytes of a PUT arrive, after some milliseconds. The rejection has the name
#   TimeoutError and the code ECONNRESET (or EPIPE, by chance). With a stream as the body, the SDK also writes a sentence with console.warn,
#   although no logger was given and maxAttempts is 1.
# Wrong guess: TimeoutError means that a timeout ran out, so a longer one helps; and a client without a logger writes nothing.
# Seen:
#   Buffer: TimeoutError, a code of a broken connection, in less than 10 s, 0 warnings
#   stream: TimeoutError, a code of a broken connection, in less than 10 s, 1 warning
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
npm install --no-audit --no-fund --loglevel=error @aws-sdk/client-s3@3.1169.0 >/dev/null || exit 2
cat >look.mjs <<'JS'
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";

let warnings = 0;
console.warn = () => warnings++;

const server = createServer((request) => request.once("data", () => request.socket.destroy()));
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const client = new S3Client({
  endpoint: `http://127.0.0.1:${server.address().port}`,
  forcePathStyle: true,
  region: "us-east-1",
  credentials: { accessKeyId: "id", secretAccessKey: "secret" },
  maxAttempts: 1,
  requestHandler: { requestTimeout: 30_000, connectionTimeout: 30_000 },
  requestChecksumCalculation: "WHEN_REQUIRED",
});
const ContentLength = 20 * 1024 ** 2;
const chunks = function* () {
  for (let at = 0; at < ContentLength; at += 65_536) yield Buffer.alloc(65_536);
};
for (const [name, Body] of [
  ["Buffer", Buffer.alloc(ContentLength)],
  ["stream", Readable.from(chunks(), { objectMode: false })],
]) {
  warnings = 0;
  const start = performance.now();
  const put = new PutObjectCommand({ Bucket: "bucket", Key: "key", Body, ContentLength });
  const error = await client.send(put).then(() => ({}), (rejection) => rejection);
  const code = ["ECONNRESET", "EPIPE"].includes(error.code) ? "a code of a broken connection" : error.code;
  const time = performance.now() - start < 10_000 ? "in less than 10 s" : "later";
  console.log(`${name}: ${error.name}, ${code}, ${time}, ${warnings} ${warnings === 1 ? "warning" : "warnings"}`);
}
client.destroy();
server.closeAllConnections();
server.close();
JS
seen=$(timeout 120 node --no-warnings look.mjs) || exit 2
echo "$seen"
wanted="Buffer: TimeoutError, a code of a broken connection, in less than 10 s, 0 warnings
stream: TimeoutError, a code of a broken connection, in less than 10 s, 1 warning"
[ "$seen" = "$wanted" ] || exit 1
