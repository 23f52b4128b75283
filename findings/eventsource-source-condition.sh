#!/usr/bin/env bash
# eventsource 3.0.7 and eventsource-parser 3.1.1 in a workspace that reads its own packages as source.
#
# Behaviour: both offer their TypeScript under the export condition "source". A workspace that has chosen the same name for its own packages
#   gets those files too: Node cannot load TypeScript from node_modules, and tsc checks them by the rules of the workspace, because
#   skipLibCheck leaves out only declarations. The client of the Model Context Protocol's SDK needs both packages.
# Wrong guess: a condition that we invented, and that Node and bundlers do not know, is one that only our packages have.
# Seen (Node 20.20.2, TypeScript 5.9.3; errors in files of node_modules):
#   eventsource: loads without the condition, fails with it
#   eventsource-parser: loads without the condition, fails with it
#   tsc without the condition:
#   tsc with it, and skipLibCheck: 3 TS5097
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
echo '{"type":"module"}' >package.json
npm install --no-audit --no-fund --loglevel=error eventsource@3.0.7 eventsource-parser@3.1.1 typescript@5.9.3 >/dev/null || exit 2

loads() { node "$@" --input-type=module -e 'await import(process.argv[1])' "$name" 2>/dev/null && echo loads || echo fails; }
errors() {
  npx tsc --noEmit --skipLibCheck --strict --module nodenext --target es2023 "$@" look.ts | grep -o 'node_modules/[^(]*.*error TS[0-9]*' |
    grep -o 'TS[0-9]*' | sort | uniq -c | tr -s ' '
}
echo 'import { createParser } from "eventsource-parser"; export const parser = createParser({});' >look.ts
seen=$(
  for name in eventsource eventsource-parser; do
    echo "$name: $(loads) without the condition, $(loads --conditions=source) with it"
  done
  echo "tsc without the condition:$(errors)"
  echo "tsc with it, and skipLibCheck:$(errors --customConditions source)"
)
echo "$seen"
[ "$seen" = "eventsource: loads without the condition, fails with it
eventsource-parser: loads without the condition, fails with it
tsc without the condition:
tsc with it, and skipLibCheck: 3 TS5097" ] && exit 0
echo "changed"
exit 1
