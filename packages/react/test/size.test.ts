import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { trimDropzone } from "@stowage/dev-dropzone";
import { expect, it } from "vitest";

const KB = 1000;

it.each([
  ["useUpload", 7 * KB],
  ["UploadDropzone", 15 * KB],
])("%s costs a page at most %i bytes, react-dropzone included, React not", async (name, budgetBytes) => {
  const bytes = gzipSync(await bundle(name), { level: 9 }).length;
  console.log(`${name}: ${bytes} of ${budgetBytes} bytes`);
  expect(bytes).toBeLessThan(budgetBytes);
});

it("styles.css costs a page at most 3 kB", async () => {
  const css = await readFile(new URL("../styles.css", import.meta.url));
  const bytes = gzipSync(css, { level: 9 }).length;
  console.log(`styles.css: ${bytes} of ${3 * KB} bytes`);
  expect(bytes).toBeLessThan(3 * KB);
});

async function bundle(name: string): Promise<string> {
  // The Vite that runs this test: it is Vitest's dependency, and need not be ours.
  const vite = createRequire(fileURLToPath(import.meta.resolve("vitest"))).resolve("vite");
  const { build } = (await import(vite)) as { build(config: object): Promise<BuildOutput> };
  const entry = "\0entry";
  const index = fileURLToPath(new URL("../src/index.ts", import.meta.url));
  const output = await build({
    configFile: false,
    mode: "production",
    // What pages get: without it the runner's own mode would add names of files to every element.
    oxc: { jsx: { runtime: "automatic", development: false } },
    logLevel: "error",
    // As in a page that people use: the help for developers is not in it.
    define: { "process.env.NODE_ENV": '"production"' },
    resolve: { conditions: ["source", "import", "module", "browser", "production"] },
    plugins: [
      // As the build does (scripts/bundle-gestures.mjs).
      trimDropzone(),
      {
        name: "entry",
        resolveId: (id: string) => (id === entry ? entry : undefined),
        load: (id: string) =>
          id === entry ? `export { ${name} } from ${JSON.stringify(index)};` : undefined,
      },
    ],
    build: {
      write: false,
      minify: true,
      rollupOptions: { input: entry, preserveEntrySignatures: "strict", external: /^react(-dom)?($|\/)/ },
    },
  });
  return output.output[0].code;
}

interface BuildOutput {
  output: [{ code: string }];
}
