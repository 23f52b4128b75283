#!/usr/bin/env bash
# esbuild 0.28.2: with "type": "commonjs" in package.json, modules that only have `import` and `export` are wrapped as CommonJS modules.
#
# Behaviour: the type of the nearest package.json decides, not the syntax of the file. Each module becomes a function that runs when it is
#   first needed, and an ESM bundle gets a default export that no source has. esbuild prints no warning. Without the member the same files give
#   one line. npm 11 writes "type": "commonjs" in `npm init -y`, older versions did not.
# Wrong guess: a file with `import` is bundled as an ES module wherever it lies, so the sizes of two scratch folders can be compared.
# Seen:
#   type module: 16 bytes, default export: no
#   type commonjs: 253 bytes, default export: yes
#   no type: 16 bytes, default export: no
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --loglevel=error esbuild@0.28.2 >/dev/null 2>&1 || exit 2
mkdir source
echo 'export const used = 1; export const unused = "text";' >source/library.js
echo 'import { used } from "./library.js"; console.log(used);' >source/entry.js
seen=$(for type in module commonjs no; do
  case $type in
    no) echo '{}' ;;
    *) echo "{\"type\":\"$type\"}" ;;
  esac >source/package.json
  node_modules/.bin/esbuild source/entry.js --bundle --minify --format=esm --outfile=out.js --log-level=warning || exit 2
  printf '%s: %s bytes, default export: ' "$([ $type = no ] && echo no type || echo "type $type")" "$(wc -c <out.js | tr -d ' ')"
  grep -q 'export default' out.js && echo yes || echo no
done 2>&1) || exit 2
printf '%s\n' "$seen"
wanted="type module: 16 bytes, default export: no
type commonjs: 253 bytes, default export: yes
no type: 16 bytes, default export: no"
[ "$seen" = "$wanted" ]
