import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/**
 * What packages ask for and we never reach: Fastify's compilers of JSON schemas and its requests without a network, and what
 * @fastify/static lists folders with. A sixth of all code, which would be read at each start.
 */
const unreached = new Set([
  "@fastify/ajv-compiler",
  "@fastify/fast-json-stringify-compiler",
  "light-my-request",
  "glob",
]);

const leaveOutUnreached = {
  name: "leave-out-unreached",
  resolveId: (id) => (unreached.has(id) ? `\0unreached:${id}` : null),
  load(id) {
    if (!id.startsWith("\0unreached:")) return null;
    const message = `${id.slice("\0unreached:".length)} was left out by scripts/bundle.mjs`;
    return `const fail = () => { throw new Error(${JSON.stringify(message)}); };
module.exports = new Proxy(fail, { get: () => fail });`;
  },
};

/**
 * Each CommonJS module stands in a function that is called at once. Rolldown writes an arrow function in parentheses; V8 knows only
 * a `function` in parentheses as one to compile right away, and would parse the other twice.
 */
const compileModulesOnce = {
  name: "compile-modules-once",
  renderChunk: (code) => ({
    code: code.replaceAll(/__commonJSMin\(\((\([a-z, ]*\)) => {/g, "__commonJSMin((function $1 {"),
    map: null,
  }),
};

/**
 * The service as it runs: each entry with all that it needs of our packages and of others', since finding, reading and linking
 * a thousand modules takes longer than all the rest of a start (docs/decisions/0017). What is imported by `import()` is a file of
 * its own, read when it is asked for. Not minified: a stack trace names functions as they are written, and with
 * `node --enable-source-maps` their files and lines too.
 */
const bundle = await rolldown({
  cwd: fileURLToPath(new URL("..", import.meta.url)),
  input: {
    main: "src/main.ts",
    cli: "src/cli.ts",
    // What `bench/` measures by itself.
    "object-store/presign": "src/object-store/presign.ts",
    "object-store/head-client": "src/object-store/head-client.ts",
  },
  platform: "node",
  plugins: [leaveOutUnreached, compileModulesOnce],
  // Our own packages as they are written, as in tests.
  resolve: { conditionNames: ["source", "node"] },
  onLog(level, log, print) {
    // What is not found would be looked for, and missed, only at some later start.
    if (level === "warn") throw new Error(`The service cannot be bundled: ${log.message}`);
    print(level, log);
  },
});
await bundle.write({
  dir: "dist",
  cleanDir: true,
  sourcemap: true,
  // Right in dist/, so that src/paths.ts finds from any of them what it finds from src/.
  chunkFileNames: "chunk-[name].js",
});
