import { fileURLToPath } from "node:url";
import { bundleForPage, bundleForServer } from "@stowage/bundle";

/** The import that a page or a server needs for each part. */
const code = {
  hook: 'export { useUpload } from "@stowage/react";',
  dropzone: 'export { UploadDropzone } from "@stowage/react";',
  helper: 'export { createStowage } from "@stowage/server";',
};
export type Part = keyof typeof code;

const folder = fileURLToPath(new URL("../..", import.meta.url));

/** @returns the gzip size of each part in bytes */
export async function weighOurs(): Promise<Record<Part, number>> {
  const page = async (part: Part) => (await bundleForPage({ code: code[part], folder })).gzipBytes;
  return {
    hook: await page("hook"),
    dropzone: await page("dropzone"),
    helper: (await bundleForServer({ code: code.helper, folder })).gzipBytes,
  };
}
