#!/usr/bin/env bash
# Chromium 153 and sharp 0.35.5: one shows the whole of a cropped AVIF, the other only what the crop leaves.
#
# Behaviour: the property `clap` of an AVIF crops it. Chromium obeys only a crop whose corner is at 0,0, and shows the whole image otherwise.
#   sharp (libheif) obeys every crop. A thumbnail that a server makes then has another shape and content than the original in the browser.
# Wrong guess: a browser and libvips show the same pixels of a valid image.
# Seen:
#   crop of 20x20 at 0,0: Chromium 20x20, sharp 20x20
#   crop of 20x20 at 10,10: Chromium 60x40, sharp 20x20
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
npm install --no-audit --no-fund --loglevel=error @sparticuz/chromium@153.0.0 playwright-core@1.65.1 sharp@0.35.5 >/dev/null || exit 2

# A red left half and a white right half, 60 by 40, cropped to the 20 by 20 pixels from 0,0 (avifenc of Debian 12, libavif 0.11.1).
base64 -d >0,0.avif <<'AVIF' || exit 2
AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAAEbbWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAA
EAAAAeaWxvYwAAAABEAAABAAEAAAABAAABQwAAADkAAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAk2lwcnAAAABzaXBjbwAAABRpc3BlAAAA
AAAAADwAAAAoAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQAMAAAAABNjb2xybmNseAABAA0ABoAAAAAoY2xhcAAAABQAAAABAAAAFAAAAAH////sAAAAAf////YAAAABAA
AAGGlwbWEAAAAAAAAAAQABBQECgwSFAAAAQW1kYXQSAAoJGBV7nYICGg0IMipFkAGGGGFA2bXN1MkiguT9bjjiSowu9oOOahEMyqdZ1OtwP783qnihOIw=
AVIF

# The same, from 10,10 (avifenc of Debian 12, libavif 0.11.1).
base64 -d >10,10.avif <<'AVIF' || exit 2
AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAAEbbWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAA
EAAAAeaWxvYwAAAABEAAABAAEAAAABAAABQwAAADkAAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAk2lwcnAAAABzaXBjbwAAABRpc3BlAAAA
AAAAADwAAAAoAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQAMAAAAABNjb2xybmNseAABAA0ABoAAAAAoY2xhcAAAABQAAAABAAAAFAAAAAH////2AAAAAQAAAAAAAAABAA
AAGGlwbWEAAAAAAAAAAQABBQECgwSFAAAAQW1kYXQSAAoJGBV7nYICGg0IMipFkAGGGGFA2bXN1MkiguT9bjjiSowu9oOOahEMyqdZ1OtwP783qnihOIw=
AVIF

cat >look.mjs <<'JS'
import { readFileSync } from "node:fs";
import packaged from "@sparticuz/chromium";
import { chromium } from "playwright-core";
import sharp from "sharp";

const args = ["--headless=shell", "--no-sandbox", "--disable-gpu"];
const browser = await chromium.launch({ executablePath: await packaged.executablePath(), args, timeout: 60_000 });
try {
  const page = await browser.newPage();
  for (const corner of ["0,0", "10,10"]) {
    const file = readFileSync(`${corner}.avif`);
    const shown = await page.evaluate(async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, `data:image/avif;base64,${file.toString("base64")}`);
    const { info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
    console.log(`crop of 20x20 at ${corner}: Chromium ${shown}, sharp ${info.width}x${info.height}`);
  }
} finally {
  await browser.close();
}
JS
expected="crop of 20x20 at 0,0: Chromium 20x20, sharp 20x20
crop of 20x20 at 10,10: Chromium 60x40, sharp 20x20"
seen=$(timeout 120 node look.mjs) || exit 2
echo "$seen"
[ "$seen" = "$expected" ]
