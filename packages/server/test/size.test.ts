import { fileURLToPath } from "node:url";
import { bundleForServer } from "@stowage/bundle";
import { operations } from "@stowage/schemas";
import { expect, test } from "vitest";

const KB = 1000;

const entry = (path: string) =>
  bundleForServer({
    code: `export * from "${path}";`,
    folder: fileURLToPath(new URL("..", import.meta.url)),
    fromSource: true,
  });

// 48 kB since the URLs of many files, variants, `cacheControl`, updates, the filters of the list, events, folders and their jobs, share links,
// limits and meters: their schemas and errors are in every bundle. 59.8 kB for the main entry since it has the table of media types,
// and the calls of pages about folders, their jobs, share links and versions.
test.each([
  ["the main entry", 59.8 * KB, "./src/index.js"],
  ["/client by itself", 48 * KB, "./src/client/index.js"],
  ["/trpc by itself", 40 * KB, "./src/adapters/trpc.js"],
  ["/webhooks by itself", 5 * KB, "./src/webhooks/index.js"],
])(
  "adds %s to a server's bundle with at most %i bytes, dependencies included",
  async (name, budgetBytes, path) => {
    const { gzipBytes } = await entry(path);
    console.log(`${name}: ${gzipBytes} of ${budgetBytes} bytes`);
    expect(gzipBytes).toBeLessThan(budgetBytes);
  },
);

test("keeps tRPC out of the main entry", async () => {
  const { code } = await entry("./src/index.js");
  expect(code).toContain("stow_live_");
  expect(code).not.toMatch(/TRPC/i);
});

test("keeps the documentation of the calls out of the client", async () => {
  const { code } = await entry("./src/client/index.js");
  expect(code).toContain(operations.holdFile.path);
  for (const { summary, description } of Object.values(operations)) {
    expect(code).not.toContain(summary);
    expect(code).not.toContain(description);
  }
});
