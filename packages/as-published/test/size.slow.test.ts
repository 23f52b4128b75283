import { gzipSync } from "node:zlib";
import { expect, inject, it } from "vitest";
import { build, type Rolldown } from "vite";

const { react18, react19 } = inject("customers");

it.each([
  ["useUpload", 7_000],
  ["UploadDropzone", 15_000],
])("%s as packed costs a page at most %i bytes, built by Vite", async (name, budgetBytes) => {
  for (const customer of [react18, react19]) {
    const bytes = gzipSync(await bundle(name, customer), { level: 9 }).length;
    console.log(`${name}: ${bytes} of ${budgetBytes} bytes`);
    expect(bytes).toBeLessThanOrEqual(budgetBytes);
  }
});

async function bundle(name: string, root: string): Promise<string> {
  const entry = "\0entry";
  const built = (await build({
    configFile: false,
    root,
    mode: "production",
    logLevel: "error",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [
      {
        name: "entry",
        resolveId(id, importer) {
          if (id === entry) return entry;
          return importer === entry ? this.resolve(id, `${root}/page.js`) : null;
        },
        load: (id) => (id === entry ? `export { ${name} } from "@stowage/react";` : null),
      },
    ],
    build: {
      write: false,
      rolldownOptions: { input: entry, preserveEntrySignatures: "strict", external: /^react(-dom)?($|\/)/ },
    },
  })) as Rolldown.RolldownOutput;
  return built.output[0].code;
}
