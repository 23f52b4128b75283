#!/usr/bin/env bash
# image-size 2.1.0: the size of an AVIF is neither that before its crop nor that after it, and a turn is not mentioned.
#
# Behaviour: for an AVIF with the property `clap` (60 by 40, cropped to 20 by 20) it returns 59 by 40: it takes the second number
#   of `clap`, the denominator of the width, for pixels to cut off. For one with `irot` (a quarter turn) it returns the size before the turn, and unlike for JPEG no
#   `orientation`. So a caller cannot know that the image is shown upright. sharp returns the sizes that are shown.
# Wrong guess: width and height, with `orientation` if there is one, are enough to reserve the place of an image.
# Seen:
#   turned: image-size 60x40, orientation undefined; sharp 40x60
#   cropped: image-size 59x40, orientation undefined; sharp 20x20
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
npm install --no-audit --no-fund --loglevel=error image-size@2.1.0 sharp@0.35.5 >/dev/null || exit 2

# A red left half and a white right half, 60 by 40, turned once (avifenc of Debian 12, libavif 0.11.1).
base64 -d >turned.avif <<'AVIF' || exit 2
AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAAD8bWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAA
EAAAAeaWxvYwAAAABEAAABAAEAAAABAAABJAAAADkAAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAdGlwcnAAAABUaXBjbwAAABRpc3BlAAAA
AAAAADwAAAAoAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQAMAAAAABNjb2xybmNseAABAA0ABoAAAAAJaXJvdAEAAAAYaXBtYQAAAAAAAAABAAEFAQKDBIUAAABBbWRhdB
IACgkYFXudggIaDQgyKkWQAYYYYUDZtc3UySKC5P1uOOJKjC72g45qEQzKp1nU63A/vzeqeKE4jA==
AVIF

# The same, not turned, and cropped to the 20 by 20 pixels from 10,10 (avifenc of Debian 12, libavif 0.11.1).
base64 -d >cropped.avif <<'AVIF' || exit 2
AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAAEbbWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAA
EAAAAeaWxvYwAAAABEAAABAAEAAAABAAABQwAAADkAAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAk2lwcnAAAABzaXBjbwAAABRpc3BlAAAA
AAAAADwAAAAoAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQAMAAAAABNjb2xybmNseAABAA0ABoAAAAAoY2xhcAAAABQAAAABAAAAFAAAAAH////2AAAAAQAAAAAAAAABAA
AAGGlwbWEAAAAAAAAAAQABBQECgwSFAAAAQW1kYXQSAAoJGBV7nYICGg0IMipFkAGGGGFA2bXN1MkiguT9bjjiSowu9oOOahEMyqdZ1OtwP783qnihOIw=
AVIF

cat >look.mjs <<'JS'
import { readFileSync } from "node:fs";
import { imageSize } from "image-size";
import sharp from "sharp";

for (const name of ["turned", "cropped"]) {
  const file = readFileSync(`${name}.avif`);
  const { width, height, orientation } = imageSize(file);
  const { info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  console.log(`${name}: image-size ${width}x${height}, orientation ${orientation}; sharp ${info.width}x${info.height}`);
}
JS
expected="turned: image-size 60x40, orientation undefined; sharp 40x60
cropped: image-size 59x40, orientation undefined; sharp 20x20"
seen=$(timeout 120 node look.mjs) || exit 2
echo "$seen"
[ "$seen" = "$expected" ]
