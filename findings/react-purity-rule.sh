#!/usr/bin/env bash
# oxlint 1.94.0: react/purity, the purity rule of the React Compiler, sees fewer impure calls than its documentation names.
#
# Behaviour: it reports Date.now(), new Date(), performance.now() and Math.random() in the body of a component, and in the function of
#   useMemo. It does not report crypto.randomUUID() or crypto.getRandomValues(), although each call gives another value. It reports
#   nothing in the initialiser of useState, and nothing in a function of the same module that the component calls.
# Wrong guess: with react/purity on, no component reads a clock or a random number while it renders.
# Seen:
#   reported: a-date-now b-performance c-math-random d-new-date h-use-memo
#   silent: e-random-uuid f-random-values g-use-state i-function-of-the-module
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 2
echo '{ "private": true }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts oxlint@1.94.0 > /dev/null 2>&1 || { echo "could not install oxlint"; exit 2; }
echo '{ "plugins": ["react"], "categories": { "correctness": "off" }, "rules": { "react/purity": "error" } }' > .oxlintrc.json

component() { # NAME EXPRESSION
  printf 'import { useMemo, useState } from "react";\nconst time = () => Date.now();\nexport function Page() {\n  return <p>{String(%s)}</p>;\n}\nexport const unused = [useMemo, useState, time];\n' "$2" > "$1.tsx"
}
component a-date-now 'Date.now()'
component b-performance 'performance.now()'
component c-math-random 'Math.random()'
component d-new-date 'new Date()'
component e-random-uuid 'crypto.randomUUID()'
component f-random-values 'crypto.getRandomValues(new Uint8Array(1))'
component g-use-state 'useState(() => Date.now())[0]'
component h-use-memo 'useMemo(() => Math.random(), [])'
component i-function-of-the-module 'time()'

reported="" silent=""
for file in *.tsx; do
  if node_modules/.bin/oxlint "$file" 2>&1 | grep -q "impure function"; then reported+=" ${file%.tsx}"; else silent+=" ${file%.tsx}"; fi
done
echo "reported:$reported"
echo "silent:$silent"
[ "$reported" = " a-date-now b-performance c-math-random d-new-date h-use-memo" ] || { echo "changed: another set is reported"; exit 1; }
echo "holds"
