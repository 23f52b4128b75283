import { bundleForPage } from "@stowage/bundle";
import { expect, inject, it } from "vitest";

const { react18, react19 } = inject("customers");

it.each([
  ["useUpload", 7_000],
  ["UploadDropzone", 15_000],
])("%s as packed costs a page at most %i bytes, built by Vite", async (name, budgetBytes) => {
  for (const folder of [react18, react19]) {
    const { gzipBytes } = await bundleForPage({ code: `export { ${name} } from "@stowage/react";`, folder });
    console.log(`${name}: ${gzipBytes} of ${budgetBytes} bytes`);
    expect(gzipBytes).toBeLessThanOrEqual(budgetBytes);
  }
});
