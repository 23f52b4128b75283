import { bundleForPage } from "@stowage/bundle";
import { expect, inject, test } from "vitest";

const { react18, react19 } = inject("customers");

// The limits of packages/react/test/size.test.ts, which measures the source.
test.each([
  ["useUpload", 12_500],
  ["UploadDropzone", 20_300],
])("%s of the packed widget adds at most %i bytes to a page", async (name, budgetBytes) => {
  for (const folder of [react18, react19]) {
    const { gzipBytes } = await bundleForPage({ code: `export { ${name} } from "@stowage/react";`, folder });
    console.log(`${name}: ${gzipBytes} of ${budgetBytes} bytes`);
    expect(gzipBytes).toBeLessThanOrEqual(budgetBytes);
  }
});
