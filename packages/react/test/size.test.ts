import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const KB = 1000;

it.each([
  ["useUpload", 7 * KB],
  ["UploadDropzone", 15 * KB],
])("%s costs a page at most %i bytes, react-dropzone included, React not", async (name, budgetBytes) => {
  expect(gzipSync(await bundle(name), { level: 9 }).length).toBeLessThan(budgetBytes);
});

it("styles.css costs a page at most 3 kB", async () => {
  const css = await readFile(new URL("../styles.css", import.meta.url));
  expect(gzipSync(css, { level: 9 }).length).toBeLessThan(3 * KB);
});

async function bundle(name: string): Promise<string> {
  // The Vite that runs this test: it is Vitest's dependency, and need not be ours.
  const vite = createRequire(fileURLToPath(import.meta.resolve("vitest"))).resolve("vite");
  const { build } = (await import(vite)) as { build(config: object): Promise<BuildOutput> };
  const entry = "\0entry";
  const index = fileURLToPath(new URL("../src/index.ts", import.meta.url));
  const output = await build({
    configFile: false,
    logLevel: "error",
    plugins: [
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
