#!/usr/bin/env bash
# needle 3.5.0: an empty Buffer as the body is sent in chunks, and a Buffer with bytes with its length.
#
# Behaviour: `needle.put(url, Buffer.alloc(0))` sends `Transfer-Encoding: chunked` and no Content-Length. An empty string has Content-Length: 0,
#   a Buffer of two bytes has Content-Length: 2. A server that needs a length (a presigned PUT of S3) refuses empty files only.
# Wrong guess: the length of a Buffer is always known, so a client always sends it.
# Seen:
#   empty Buffer: chunked
#   Buffer of 2 bytes: length 2
#   empty string: length 0
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
npm install --no-audit --no-fund --loglevel=error needle@3.5.0 >/dev/null || exit 2
cat >look.mjs <<'JS'
import { createServer } from "node:http";
import needle from "needle";

const server = createServer((request, response) => {
  const { "content-length": length, "transfer-encoding": coding } = request.headers;
  request.resume().on("end", () => response.end(coding ?? `length ${length}`));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}/`;
for (const [name, body] of [
  ["empty Buffer", Buffer.alloc(0)],
  ["Buffer of 2 bytes", Buffer.from("hi")],
  ["empty string", ""],
]) {
  const { body: answer } = await needle("put", url, body, { parse: false, response_timeout: 10_000 });
  console.log(`${name}: ${answer}`);
}
server.close();
JS
seen=$(timeout 60 node look.mjs) || exit 2
echo "$seen"
wanted="empty Buffer: chunked
Buffer of 2 bytes: length 2
empty string: length 0"
[ "$seen" = "$wanted" ] || exit 1
