#!/usr/bin/env bash
# mime-types 3.0.2 (mime-db 1.54.0): some extensions of common programs get the type of another program's format.
#
# Behaviour: `lookup` knows one type for an extension, and prefers a registered one. So a plan of Microsoft Project is a patch of an MPEG-DASH
#   manifest, a model of SketchUp a drawing of Koan, Rust code a resource list of SIP in XML, and a JPEG named .jfif the alias `image/pjpeg`,
#   which no standard has. JSON lines, Parquet, .tgz and .zst have no type.
# Wrong guess: an extension that a table knows gets the type of the program that people mean by it, and only rare ones are missing.
# Seen:
#   plan.mpp: application/dash-patch+xml
#   house.skp: application/vnd.koan
#   main.rs: application/rls-services+xml
#   scan.jfif: image/pjpeg
#   rows.jsonl: false
#   table.parquet: false
#   backup.tgz: false
#   backup.zst: false
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
npm install --no-audit --no-fund --loglevel=error mime-types@3.0.2 mime-db@1.54.0 >/dev/null || exit 2
cat >look.cjs <<'JS'
const { lookup } = require("mime-types");
for (const name of ["plan.mpp", "house.skp", "main.rs", "scan.jfif", "rows.jsonl", "table.parquet", "backup.tgz", "backup.zst"]) {
  console.log(`${name}: ${lookup(name)}`);
}
JS
seen=$(node look.cjs) || exit 2
echo "$seen"
expected="plan.mpp: application/dash-patch+xml
house.skp: application/vnd.koan
main.rs: application/rls-services+xml
scan.jfif: image/pjpeg
rows.jsonl: false
table.parquet: false
backup.tgz: false
backup.zst: false"
[ "$seen" = "$expected" ]
