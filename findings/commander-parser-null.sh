#!/usr/bin/env bash
# commander 14.0.3: a value that the parser of an option returns as null or undefined is replaced, by "" or by true. The code of 15.1.0,
#   which needs Node 22, is the same.
#
# Behaviour: `.option("--quota <n>", "…", parse)` with a `parse` that returns null for "none" gives the action "", and with `[n]` in place of
#   `<n>` it gives true. undefined is replaced in the same way; 0 and false stay. For an argument of a command, null and undefined stay.
# Wrong guess: the action gets what the parser returned, so null can mean "take the limit away".
# Seen:
#   option <n>: null -> "", undefined -> "", 0 -> 0, false -> false
#   option [n]: null -> true, undefined -> true, 0 -> 0, false -> false
#   argument: null -> null, undefined -> undefined, 0 -> 0, false -> false
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
npm install --no-audit --no-fund --loglevel=error commander@14.0.3 >/dev/null || exit 2
cat >look.mjs <<'JS'
import { Command } from "commander";

const returned = [null, undefined, 0, false];
const show = (value) => (value === undefined ? "undefined" : JSON.stringify(value));
const optionOf = (flags) => (result) =>
  new Command().option(flags, "", () => result).parse(["--quota", "none"], { from: "user" }).opts().quota;
const argument = (result) =>
  new Command().argument("<n>", "", () => result).parse(["none"], { from: "user" }).processedArgs[0];
for (const [name, read] of [
  ["option <n>", optionOf("--quota <n>")],
  ["option [n]", optionOf("--quota [n]")],
  ["argument", argument],
])
  console.log(`${name}: ${returned.map((result) => `${show(result)} -> ${show(read(result))}`).join(", ")}`);
JS
seen=$(timeout 60 node look.mjs) || exit 2
echo "$seen"
wanted='option <n>: null -> "", undefined -> "", 0 -> 0, false -> false
option [n]: null -> true, undefined -> true, 0 -> 0, false -> false
argument: null -> null, undefined -> undefined, 0 -> 0, false -> false'
[ "$seen" = "$wanted" ] || exit 1
