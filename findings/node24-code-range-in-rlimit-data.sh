#!/usr/bin/env bash
# node 24.21.0 and 26.10.0, compared with 20.20.2 and 22.23.3: RLIMIT_DATA counts the 512 MiB that V8 keeps for code.
#
# Behaviour: under `ulimit -d 524288` (512 MiB) Node 24 and 26 end when they start, because V8 gets no room for code. Node 20 and 22 start.
#   An idle Node 24 has a VmData of more than 512 MiB: one mapping of some 521,700 kB is `rwxp`, and Linux counts each private mapping that may be
#   written, touched or not. Its resident memory is not larger.
# Wrong guess: RLIMIT_DATA bounds what a program allocates, so a limit that leaves room for the heap and the images fits each version of Node.
# Seen (Linux, x64): the lines in `wanted`. Idle VmData was 47, 48, 560 and 559 MiB, and the exit code of 24 and 26 was 133 (SIGTRAP).
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
[ "$(uname -s)" = Linux ] || exit 2
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
# No core file of a process that V8 ends.
ulimit -c 0
cat >look.js <<'JS'
const { readFileSync } = require("node:fs");
const [, data] = /^VmData:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"));
const mappings = [...readFileSync("/proc/self/smaps", "utf8").matchAll(/^\S+ rwxp [^]*?^Size:\s+(\d+) kB$/gm)];
const largest = Math.max(0, ...mappings.map(([, size]) => Number(size)));
console.log(Math.round(data / 1024), largest);
JS
seen=""
for version in 20.20.2 22.23.3 24.21.0 26.10.0; do
  npm install --no-audit --no-fund --loglevel=error --prefix "$version" "node@$version" >/dev/null || exit 2
  node="$box/$version/node_modules/node/bin/node"
  [ "$("$node" --version)" = "v$version" ] || exit 2
  read -r data largest < <(timeout 60 "$node" look.js) || exit 2
  { (ulimit -d 524288 && exec timeout 60 "$node" -e 0) >limited.txt 2>&1; } 2>/dev/null
  status=$?
  echo "node $version: idle VmData $data MiB, largest rwxp mapping $largest kB, under 512 MiB of RLIMIT_DATA: exit code $status"
  size=$([ "$data" -gt 512 ] && echo "more than 512 MiB" || echo "less than 128 MiB")
  [ "$data" -gt 512 ] || [ "$data" -lt 128 ] || size="$data MiB"
  start=$([ "$status" -eq 0 ] && echo "starts" || echo "does not start")
  seen+="node $version: idle $size, $start
"
done
wanted="node 20.20.2: idle less than 128 MiB, starts
node 22.23.3: idle less than 128 MiB, starts
node 24.21.0: idle more than 512 MiB, does not start
node 26.10.0: idle more than 512 MiB, does not start
"
[ "$seen" = "$wanted" ] || exit 1
