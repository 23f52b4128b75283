// Checks two rules that oxlint cannot: no circle of imports, also through .tsx files (its rule does not resolve `./x.js` to `x.tsx`), and
// the floors of the service in ARCHITECTURE.md: a room imports only from rooms that are named before it. First it plants a violation of
// each rule in memory and checks that it is found.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const SERVICE = "apps/service/src/";

/** The rooms of the service, the lowest first: the block after "floors" in ARCHITECTURE.md. */
const floors = /```text floors\n([^]*?)```/
  .exec(readFileSync(join(root, "ARCHITECTURE.md"), "utf8"))?.[1]
  ?.trim()
  .split(/[\s→]+/);
if (!floors) throw new Error("ARCHITECTURE.md has no block of floors");

/** @returns the sentences about all violations in the sources, a map of paths to texts */
function check(sources) {
  const imports = new Map([...sources].map(([path, text]) => [path, readImports(path, text, sources)]));
  return [...findCircles(imports), ...findUpward(imports)];
}

const IMPORT = /^(?:import|export)\b[^;]*?\bfrom "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;

/** The files that a file imports, types too. Imports of packages are not among them. */
function readImports(path, text, sources) {
  const specifiers = [...text.matchAll(IMPORT)].map(([, from, effect, dynamic]) => from ?? effect ?? dynamic);
  return specifiers.flatMap((specifier) => {
    const target = specifier.startsWith("#")
      ? path.replace(/\/src\/.*/, "/src/") + specifier.slice(1)
      : specifier.startsWith(".") && posix.join(posix.dirname(path), specifier);
    if (!target) return [];
    const base = target.replace(/\.js$/, "");
    return [`${base}.ts`, `${base}.tsx`, `${target}.ts`].filter((file) => sources.has(file)).slice(0, 1);
  });
}

/** Finds circles with Tarjan's algorithm: files that reach each other. */
function findCircles(imports) {
  const [order, lowest, stack, circles] = [new Map(), new Map(), [], []];
  const visit = (file) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file));
    stack.push(file);
    for (const target of imports.get(file)) {
      if (!order.has(target)) visit(target);
      if (stack.includes(target)) lowest.set(file, Math.min(lowest.get(file), lowest.get(target)));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1 || imports.get(file).includes(file))
      circles.push(`These files import each other: ${circle.join(", ")}`);
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles;
}

function findUpward(imports) {
  return [...imports].flatMap(([file, targets]) =>
    targets.flatMap((target) => {
      const [from, to] = [roomOf(file), roomOf(target)];
      if (from === undefined || to === undefined || from === to) return [];
      const [below, above] = [floors.indexOf(from), floors.indexOf(to)];
      if (below < 0 || above < 0) return [`${below < 0 ? from : to} is no floor in ARCHITECTURE.md: ${file}`];
      return above > below ? [`${from} is below ${to}: ${file} may not import ${target}`] : [];
    }),
  );
}

/** A folder of the service, such as `db` or `files/settle`, or the name of a file in `src` itself. Undefined outside of the service. */
function roomOf(file) {
  if (!file.startsWith(SERVICE)) return undefined;
  const [first, second, third] = file.slice(SERVICE.length).split("/");
  if (second === undefined) return first.replace(/\.ts$/, "");
  return first === "files" && third !== undefined ? `files/${second}` : first;
}

function readSources() {
  const sources = new Map();
  for (const group of ["apps", "packages"]) {
    for (const name of readdirSync(join(root, group))) {
      const folder = join(root, group, name, "src");
      for (const file of listFiles(folder)) {
        const path = relative(root, file).split(sep).join("/");
        if (/\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$/.test(path))
          sources.set(path, readFileSync(file, "utf8"));
      }
    }
  }
  return sources;
}

function listFiles(folder) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

/** Files with one violation each, and a part of the sentence that it must cause. */
const plants = [
  [
    "each other",
    { "packages/react/src/a.ts": 'import "./b.js";', "packages/react/src/b.ts": 'export * from "./a.js";' },
  ],
  [
    "each other",
    {
      "apps/dashboard/src/a.tsx": 'import { B } from "./b.js";',
      "apps/dashboard/src/b.tsx": 'import type { A } from "./a.js";',
    },
  ],
  [
    "each other",
    {
      [`${SERVICE}lib/a.ts`]: 'const a = import("#lib/b.js");',
      [`${SERVICE}lib/b.ts`]: 'import {\n  a,\n} from "./a.js";',
    },
  ],
  [
    "lib is below db",
    { [`${SERVICE}lib/a.ts`]: 'import type { A } from "#db/a.js";', [`${SERVICE}db/a.ts`]: "" },
  ],
  [
    "lib is below db",
    { [`${SERVICE}lib/a.tsx`]: 'import { A } from "../db/a.js";', [`${SERVICE}db/a.tsx`]: "" },
  ],
  [
    "files/record is below files/settle",
    { [`${SERVICE}files/record/a.ts`]: 'import "../settle/a.js";', [`${SERVICE}files/settle/a.ts`]: "" },
  ],
  ["attic is no floor", { [`${SERVICE}attic/a.ts`]: 'import "#db/a.js";', [`${SERVICE}db/a.ts`]: "" }],
  ["attic is no floor", { [`${SERVICE}attic/a.tsx`]: 'import "#db/a.js";', [`${SERVICE}db/a.ts`]: "" }],
];
for (const [expected, files] of plants) {
  const found = check(new Map(Object.entries(files)));
  if (found.length !== 1 || !found[0].includes(expected))
    throw new Error(
      `A planted violation was not found: ${expected}. Found: ${found.join("; ") || "nothing"}`,
    );
}

const sources = readSources();
const violations = check(sources);
for (const violation of violations) console.error(violation);
const rooms = new Set([...sources.keys()].map(roomOf));
for (const floor of floors)
  if (!rooms.has(floor))
    violations.push(console.error(`ARCHITECTURE.md names the floor ${floor}, which does not exist`));
if (violations.length > 0) process.exitCode = 1;
else console.log(`No circle and no import of a higher floor in ${sources.size} files`);
