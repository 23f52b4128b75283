#!/usr/bin/env bash
# TypeScript 5.6.3, 5.7.3: what a callback's parameter is inferred from, in an intersection of two mapped types.
#
# Behaviour: a function takes { [N in keyof S]: Rules<S[N]> } & { [N in keyof R]: Done<R[N]> }. A callback of Rules depends on another
#   member of the same object. Before 5.7, its parameter is implicitly `any` (TS7031).
#   The same object type without a mapped type is inferred by both versions, and an annotated parameter is accepted.
# Wrong guess: inference between the members of one object literal (added in TypeScript 4.7) also works in mapped types, so a library
#   that compiles its example with the newest compiler works with older ones.
# Seen:
#   5.6.3: plain ok, mapped TS7031, annotated ok
#   5.7.3: plain ok, mapped ok, annotated ok
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 2
echo '{ "private": true }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts b@npm:typescript@5.6.3 c@npm:typescript@5.7.3 > /dev/null 2>&1 ||
  { echo "could not install typescript"; exit 2; }

types='interface Rules<S> { input?: S; label?: (context: { input: S }) => string }
interface Done<R> { done?: (file: number) => R }
declare function plain<S>(route: Rules<S>): S;
declare function mapped<S, R>(routes: { [N in keyof S]: Rules<S[N]> } & { [N in keyof R]: Done<R[N]> }): [S, R];
const input = { album: 7 };
'
printf '%s' "$types" 'export const x = plain({ input, label: ({ input }) => input.album.toFixed() });' > plain.ts
printf '%s' "$types" 'export const x = mapped({ a: { input, label: ({ input }) => input.album.toFixed() } });' > mapped.ts
printf '%s' "$types" 'export const x = mapped({ a: { input, label: ({ input }: { input: { album: number } }) => input.album.toFixed() } });' > annotated.ts

all=""
for compiler in b c; do
  line="$(node -p "require('./node_modules/$compiler/package.json').version"):"
  for file in plain mapped annotated; do
    codes=$(node "node_modules/$compiler/lib/tsc.js" --noEmit --strict --target es2022 --lib es2022 --skipLibCheck "$file.ts" | grep -oE 'TS[0-9]+' | sort -u | tr '\n' ' ')
    line+=" $file ${codes:-ok }"
  done
  echo "$line"
  all+="$line;"
done
expected='5.6.3: plain ok  mapped TS7031  annotated ok ;5.7.3: plain ok  mapped ok  annotated ok ;'
[ "$all" = "$expected" ] || { echo "changed"; exit 1; }
echo "holds"
