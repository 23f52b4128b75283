import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const KB = 1000;

it.each([
  ["the main entry", 40 * KB, "../src/index.ts"],
  ["/client by itself", 40 * KB, "../src/client/index.ts"],
  ["/trpc by itself", 40 * KB, "../src/router.ts"],
])("%s costs a server's bundle at most %i bytes, dependencies included", async (name, budgetBytes, entry) => {
  const code = await bundle(fileURLToPath(new URL(entry, import.meta.url)));
  const bytes = gzipSync(code, { level: 9 }).length;
  console.log(`${name}: ${bytes} of ${budgetBytes} bytes`);
  expect(bytes).toBeLessThan(budgetBytes);
});

it("the main entry carries no tRPC", async () => {
  const code = await bundle(fileURLToPath(new URL("../src/index.ts", import.meta.url)));
  expect(code).toContain("stow_live_");
  expect(code).not.toMatch(/TRPC/i);
});

/** All of it in one file, as a bundler for servers writes it: nothing stays outside but Node's own modules. */
async function bundle(entry: string): Promise<string> {
  // The Vite that runs this test: it is Vitest's dependency, and need not be ours.
  const vite = createRequire(fileURLToPath(import.meta.resolve("vitest"))).resolve("vite");
  const { build } = (await import(vite)) as { build(config: object): Promise<BuildOutput> };
  const { output } = await build({
    configFile: false,
    logLevel: "error",
    resolve: { conditions: ["source", "node", "import", "module", "production"] },
    ssr: { noExternal: true, resolve: { conditions: ["source", "node", "import", "module", "production"] } },
    build: {
      write: false,
      ssr: entry,
      target: "node20",
      minify: true,
      rollupOptions: { output: { codeSplitting: false } },
    },
  });
  expect(output).toHaveLength(1);
  return output[0].code;
}

interface BuildOutput {
  output: [{ code: string }];
}
