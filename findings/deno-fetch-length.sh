#!/usr/bin/env bash
# deno 2.9.6: fetch drops a Content-Length that the caller has set for a stream, and sends an empty Blob in chunks.
#
# Behaviour: the body of a ReadableStream is always sent with `Transfer-Encoding: chunked`, also when the headers have its Content-Length.
#   Node and Bun send the length. An empty Blob is sent in chunks too, although its size is known, and although an empty Uint8Array and a
#   Blob with bytes have a length. A server that needs a length (a presigned PUT of S3) refuses both.
# Wrong guess: Content-Length is dropped only where it contradicts the body; a Blob always has a length.
# Seen:
#   stream with Content-Length: 5: chunked
#   Blob of 5 bytes: length 5
#   empty Blob: chunked
#   empty Uint8Array: length 0
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
npm install --no-audit --no-fund --loglevel=error deno@2.9.6 >/dev/null || exit 2
cat >send.mjs <<'JS'
const [url] = Deno.args;
const bytes = new TextEncoder().encode("hello");
for (const [name, body, headers] of [
  ["stream with Content-Length: 5", new Blob([bytes]).stream(), { "Content-Length": "5" }],
  ["Blob of 5 bytes", new Blob([bytes]), {}],
  ["empty Blob", new Blob([]), {}],
  ["empty Uint8Array", new Uint8Array(0), {}],
]) {
  const answer = await fetch(url, { method: "PUT", headers, body, signal: AbortSignal.timeout(10_000) });
  console.log(`${name}: ${await answer.text()}`);
}
JS
cat >look.mjs <<'JS'
import { spawn } from "node:child_process";
import { createServer } from "node:http";

const server = createServer((request, response) => {
  const { "content-length": length, "transfer-encoding": coding } = request.headers;
  request.resume().on("end", () => response.end(coding ?? `length ${length}`));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}/`;
const deno = spawn("node_modules/.bin/deno", ["run", "--allow-net", "--no-config", "send.mjs", url], {
  stdio: ["ignore", "inherit", "inherit"],
  timeout: 60_000,
});
deno.on("close", (code) => process.exit(code ?? 1));
JS
seen=$(node look.mjs) || exit 2
echo "$seen"
wanted="stream with Content-Length: 5: chunked
Blob of 5 bytes: length 5
empty Blob: chunked
empty Uint8Array: length 0"
[ "$seen" = "$wanted" ] || exit 1
