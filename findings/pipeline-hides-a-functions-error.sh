#!/usr/bin/env bash
# Node 22.12.0 and 24.9.0, stream/promises: an error that the last function of a pipeline throws becomes an AbortError as soon as a Transform
#   stands before it.
#
# Behaviour: `pipeline(source, async (chunks) => { throw … })` rejects with the error that the function threw. With a PassThrough or a gunzip
#   between the two, and bytes left to read, it rejects with AbortError ("The operation was aborted"), although no signal was given. The
#   error of the function is not its cause either. If the function throws after the last byte, its error arrives.
# Wrong guess: a pipeline rejects with the first error, so `catch` can tell a file that is too large by the error that the function threw.
# Seen, with both versions:
#   function alone: Error: too large
#   after a PassThrough: AbortError: The operation was aborted
#   after a gunzip: AbortError: The operation was aborted
#   after a gunzip, thrown at the end: Error: too large
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
cat >look.mjs <<'JS'
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, gzipSync } from "node:zlib";

const bytes = Buffer.alloc(1_000_000);
const inPieces = (whole) => {
  const pieces = [];
  for (let at = 0; at < whole.length; at += 65_536) pieces.push(whole.subarray(at, at + 65_536));
  return Readable.from(pieces);
};
const throwAfter = (limit) => async (chunks) => {
  let seen = 0;
  for await (const chunk of chunks) {
    seen += chunk.length;
    if (seen > limit) throw new Error("too large");
  }
  throw new Error("too large");
};
const zipped = gzipSync(bytes);
for (const [name, stages] of [
  ["function alone", [inPieces(bytes), throwAfter(100_000)]],
  ["after a PassThrough", [inPieces(bytes), new PassThrough(), throwAfter(100_000)]],
  ["after a gunzip", [inPieces(zipped), createGunzip(), throwAfter(100_000)]],
  ["after a gunzip, thrown at the end", [inPieces(zipped), createGunzip(), throwAfter(bytes.length)]],
]) {
  const error = await pipeline(...stages).then(() => "no error", (rejection) => rejection);
  console.log(`${name}: ${error.name}: ${error.message}${error.cause === undefined ? "" : " (with a cause)"}`);
}
JS
wanted="function alone: Error: too large
after a PassThrough: AbortError: The operation was aborted
after a gunzip: AbortError: The operation was aborted
after a gunzip, thrown at the end: Error: too large"
changed=0
for version in 22.12.0 24.9.0; do
  mkdir "$version" && cd "$version" || exit 2
  npm install --no-audit --no-fund --loglevel=error "node@$version" >/dev/null || exit 2
  seen=$(timeout 60 node_modules/.bin/node ../look.mjs) || exit 2
  printf 'Node %s\n%s\n' "$version" "$seen"
  [ "$seen" = "$wanted" ] || changed=1
  cd ..
done
exit $changed
