import { fileURLToPath } from "node:url";
import { thirdParty } from "@stowage/third-party";
import { rolldown } from "rolldown";

/**
 * Bundles the service: each entry with all the code that it needs, from us and from packages. Finding, reading and linking a
 * thousand modules would take longer than the rest of a start (docs/decisions/0017). Code behind `import()` becomes a file of its
 * own, which is read on first use. The output is not minified, so a stack trace shows the functions' names, and with `node
 * --enable-source-maps` also their files and lines.
 */
const bundle = await rolldown({
  cwd: fileURLToPath(new URL("..", import.meta.url)),
  input: {
    main: "src/main.ts",
    cli: "src/cli.ts",
    // The process that `stowage worker` decodes images in.
    "image-decoder": "src/images/decode/main.ts",
    // `lab/bench/` measures these on their own.
    "compose-adapters": "src/compose-adapters.ts",
    config: "src/config.ts",
    "object-store/presign": "src/object-store/presign.ts",
    "object-store/object-client": "src/object-store/object-client.ts",
  },
  // Its binaries are files of their own. Only the image decoder loads it. For the first HEIC and the first PDF, that also loads
  // libheif-js and @embedpdf/pdfium, by `require`.
  external: ["sharp"],
  platform: "node",
  plugins: [leaveOutUnused(), thirdParty()],
  // Bundles the sources of our own packages, as the tests do.
  resolve: { conditionNames: ["source", "node"] },
  onLog(level, log, print) {
    // For example an import that cannot be resolved, which would otherwise fail only at run time.
    if (level === "warn") throw new Error(`The service cannot be bundled: ${log.message}`);
    print(level, log);
  },
});
await bundle.write({
  dir: "dist",
  cleanDir: true,
  sourcemap: true,
  // Directly in dist/, because the paths in src/paths.ts are relative to a folder one level below the package root.
  chunkFileNames: "chunk-[name].js",
});

/**
 * Replaces modules that packages import and the service never uses: Fastify's JSON schema compilers, its requests without a
 * network, and the directory listing of @fastify/static. They are a sixth of all code, and every start would read them. A
 * replaced module throws when it is used.
 */
function leaveOutUnused() {
  const unused = new Set([
    "@fastify/ajv-compiler",
    "@fastify/fast-json-stringify-compiler",
    "light-my-request",
    "glob",
  ]);
  const prefix = "\0unused:";
  return {
    name: "leave-out-unused",
    resolveId: (id) => (unused.has(id) ? prefix + id : null),
    load(id) {
      if (!id.startsWith(prefix)) return null;
      const message = `${id.slice(prefix.length)} was left out by scripts/bundle.mjs`;
      return `const fail = () => { throw new Error(${JSON.stringify(message)}); };
module.exports = new Proxy(fail, { get: () => fail });`;
    },
  };
}
