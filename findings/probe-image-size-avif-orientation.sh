#!/usr/bin/env bash
# probe-image-size 7.5.0: the orientation of an AVIF is turned by 180 degrees.
#
# Behaviour: it turns the property `irot` of an AVIF into an orientation of Exif. `irot` counts quarter turns against the clock (ISO/IEC
#   23008-12), so one turn is orientation 8 and three are 6. probe-image-size returns 6 for one turn and 8 for three. sharp turns the same
#   file the other way. Whoever turns a thumbnail by this number gets it upside down. Its width and height are those before the turn.
# Wrong guess: `orientation` means the same for AVIF as for JPEG.
# Seen:
#   one turn: probe-image-size orientation 6
#   one turn: sharp 40x60, red at the bottom, as orientation 8
#   three turns: probe-image-size orientation 8
#   three turns: sharp 40x60, red at the top, as orientation 6
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
npm install --no-audit --no-fund --loglevel=error probe-image-size@7.5.0 sharp@0.35.5 >/dev/null || exit 2

# A red left half and a white right half, 60 by 40, turned once (avifenc of Debian 12, libavif 0.11.1).
base64 -d >turned.avif <<'AVIF' || exit 2
AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAAD8bWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAA
EAAAAeaWxvYwAAAABEAAABAAEAAAABAAABJAAAADkAAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAdGlwcnAAAABUaXBjbwAAABRpc3BlAAAA
AAAAADwAAAAoAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQAMAAAAABNjb2xybmNseAABAA0ABoAAAAAJaXJvdAEAAAAYaXBtYQAAAAAAAAABAAEFAQKDBIUAAABBbWRhdB
IACgkYFXudggIaDQgyKkWQAYYYYUDZtc3UySKC5P1uOOJKjC72g45qEQzKp1nU63A/vzeqeKE4jA==
AVIF

cat >look.mjs <<'JS'
import { readFileSync } from "node:fs";
import probe from "probe-image-size";
import sharp from "sharp";

const one = readFileSync("turned.avif");
const three = Buffer.from(one);
three[three.indexOf("irot") + 4] = 3;
for (const [name, file] of [["one turn", one], ["three turns", three]]) {
  console.log(`${name}: probe-image-size orientation ${probe.sync(file).orientation}`);
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  const greenAt = (y) => data[(y * info.width + info.width / 2) * info.channels + 1];
  const side = greenAt(3) < greenAt(info.height - 4) ? "top, as orientation 6" : "bottom, as orientation 8";
  console.log(`${name}: sharp ${info.width}x${info.height}, red at the ${side}`);
}
JS
expected="one turn: probe-image-size orientation 6
one turn: sharp 40x60, red at the bottom, as orientation 8
three turns: probe-image-size orientation 8
three turns: sharp 40x60, red at the top, as orientation 6"
seen=$(timeout 120 node look.mjs) || exit 2
echo "$seen"
[ "$seen" = "$expected" ]
