#!/usr/bin/env bash
# turbo 2.11.11: in a folder that is no git repository, a task with `inputs` hashes files that .gitignore names.
#
# Behaviour: without `inputs`, turbo obeys .gitignore with and without git. As soon as a task has `inputs`, even only
#   ["$TURBO_DEFAULT$", "!**/*.test.js"], it obeys .gitignore only inside a git repository that has a commit. Elsewhere node_modules and
#   the task's own outputs become inputs: a build of a downloaded archive hashes every installed file, and its cache never hits.
#   With "**" instead of $TURBO_DEFAULT$, and patterns that exclude the ignored folders, both hash the same files.
# Wrong guess: "$TURBO_DEFAULT$" means the same files everywhere, as .gitignore is a file that turbo reads itself.
# Seen:
#   git, no inputs: .gitignore a.js a.test.js package.json
#   git, $TURBO_DEFAULT$: .gitignore a.js package.json
#   git, **: .gitignore a.js package.json
#   archive, no inputs: .gitignore a.js a.test.js package.json
#   archive, $TURBO_DEFAULT$: .gitignore a.js dist/a.js node_modules/x/index.js package.json
#   archive, **: .gitignore a.js package.json
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
command -v git >/dev/null || { echo "needs git"; exit 2; }
npm install --prefix tool --no-audit --no-fund --loglevel=error turbo@2.11.11 >/dev/null || exit 2

mkdir -p app/one/dist app/one/node_modules/x && cd app || exit 2
echo '{"name":"root","private":true,"packageManager":"npm@10.0.0","workspaces":["one"]}' >package.json
echo '{"name":"one","version":"1.0.0","scripts":{"none":"true","default":"true","all":"true"}}' >one/package.json
echo '{"name":"root","lockfileVersion":3,"packages":{"":{"name":"root","workspaces":["one"]},"node_modules/one":{"resolved":"one","link":true},"one":{"version":"1.0.0"}}}' >package-lock.json
cat >turbo.json <<'JSON'
{
  "tasks": {
    "none": {},
    "default": { "inputs": ["$TURBO_DEFAULT$", "!**/*.test.js"] },
    "all": { "inputs": ["**", "!**/{node_modules,dist,.turbo}/**", "!**/*.test.js"] }
  }
}
JSON
printf 'node_modules/\ndist/\n.turbo/\n' >one/.gitignore
for file in a.js a.test.js dist/a.js node_modules/x/index.js; do echo 1 >"one/$file"; done

inputs() {
  TURBO_TELEMETRY_DISABLED=1 DO_NOT_TRACK=1 ../tool/node_modules/.bin/turbo run "$1" --dry=json 2>error.log |
    node -e 'const text = require("fs").readFileSync(0, "utf8"); console.log(Object.keys(JSON.parse(text).tasks[0].inputs).sort().join(" "))'
}
look() {
  echo "$1, no inputs: $(inputs none)"
  echo "$1, \$TURBO_DEFAULT\$: $(inputs default)"
  echo "$1, **: $(inputs all)"
}
archive=$(look archive)
git init -q && git add -A && git -c user.name=a -c user.email=a@example.com commit -qm a || exit 2
seen="$(look git)
$archive"
echo "$seen"
wanted="git, no inputs: .gitignore a.js a.test.js package.json
git, \$TURBO_DEFAULT\$: .gitignore a.js package.json
git, **: .gitignore a.js package.json
archive, no inputs: .gitignore a.js a.test.js package.json
archive, \$TURBO_DEFAULT\$: .gitignore a.js dist/a.js node_modules/x/index.js package.json
archive, **: .gitignore a.js package.json"
[ "$(grep -c package.json <<<"$seen")" = 6 ] || { cat error.log; exit 2; }
[ "$seen" = "$wanted" ] && exit 0
echo "changed"
exit 1
