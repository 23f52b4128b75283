#!/usr/bin/env bash
# esbuild 0.28.2 with --splitting: an `import()` in a function that nobody uses still makes chunks, and takes code out of the entry.
#
# Behaviour: the function itself is dropped. The module that it would have loaded is written all the same, and what that module and the entry
#   share moves into a chunk of its own, so a page loads one more file than without the unused function. Rollup 4.62.0 writes the entry alone.
# Wrong guess: code that tree shaking removes costs a page nothing, so a library may load rare code on demand in any module.
# Seen:
#   esbuild, function without import(): entry.js
#   esbuild, with import(): chunk.js entry.js lazy.js; the entry imports chunk.js
#   Rollup, with import(): entry.js
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
echo '{"private":true,"type":"module"}' >package.json
npm install --no-audit --no-fund --loglevel=error esbuild@0.28.2 rollup@4.62.0 >/dev/null 2>&1 || exit 2
echo 'export const shared = "shared";' >shared.js
echo 'import { shared } from "./shared.js"; export const lazy = `${shared} and lazy`;' >lazy.js
echo 'import { shared } from "./shared.js"; import { used } from "./library.js"; console.log(used, shared);' >entry.js
bundle() {
  rm -rf out
  case $1 in
    esbuild) node_modules/.bin/esbuild entry.js --bundle --splitting --minify --format=esm --outdir=out --chunk-names='[name]' --log-level=warning ;;
    rollup) node_modules/.bin/rollup entry.js --dir out --silent ;;
  esac || exit 2
  (cd out && echo *.js)
}
echo 'export const used = 1; export const unused = () => "lazy";' >library.js
without=$(bundle esbuild) || exit 2
echo 'export const used = 1; export const unused = () => import("./lazy.js");' >library.js
rolled=$(bundle rollup) || exit 2
split=$(bundle esbuild) || exit 2
grep -q 'from"./chunk.js"' out/entry.js && imports="; the entry imports chunk.js" || imports=""
seen="esbuild, function without import(): $without
esbuild, with import(): $split$imports
Rollup, with import(): $rolled"
printf '%s\n' "$seen"
wanted="esbuild, function without import(): entry.js
esbuild, with import(): chunk.js entry.js lazy.js; the entry imports chunk.js
Rollup, with import(): entry.js"
[ "$seen" = "$wanted" ]
