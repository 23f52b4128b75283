#!/usr/bin/env bash
# axios 1.21.1: in Node, a Blob as the body replaces the Content-Type that the caller has set.
#
# Behaviour: `axios.put(url, blob, { headers: { "Content-Type": "text/plain" } })` sends `application/octet-stream`, or the type of the
#   Blob. An empty Blob, other bodies, and axios' own adapter "fetch" keep the type of the caller. A URL whose signature contains the type is
#   then refused, only by this combination.
# Wrong guess: a header of the call always wins over a default of the body, as with fetch.
# Seen:
#   http, Blob: application/octet-stream
#   http, Blob of image/png: image/png
#   http, empty Blob: text/plain
#   http, Uint8Array: text/plain
#   fetch, Blob: text/plain
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
npm install --no-audit --no-fund --loglevel=error axios@1.21.1 >/dev/null || exit 2
cat >look.mjs <<'JS'
import { createServer } from "node:http";
import axios from "axios";

const server = createServer((request, response) => {
  request.resume().on("end", () => response.end(request.headers["content-type"]));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}/`;
const bytes = new TextEncoder().encode("hello");
for (const [name, adapter, body] of [
  ["Blob", "http", new Blob([bytes])],
  ["Blob of image/png", "http", new Blob([bytes], { type: "image/png" })],
  ["empty Blob", "http", new Blob([])],
  ["Uint8Array", "http", bytes],
  ["Blob", "fetch", new Blob([bytes])],
]) {
  const { data } = await axios.put(url, body, { adapter, headers: { "Content-Type": "text/plain" }, timeout: 10_000 });
  console.log(`${adapter}, ${name}: ${data}`);
}
server.close();
JS
seen=$(timeout 60 node look.mjs) || exit 2
echo "$seen"
wanted="http, Blob: application/octet-stream
http, Blob of image/png: image/png
http, empty Blob: text/plain
http, Uint8Array: text/plain
fetch, Blob: text/plain"
[ "$seen" = "$wanted" ] || exit 1
