import { fileURLToPath } from "node:url";
import { bundleForPage, bundleForServer } from "@stowage/bundle";

/** What a page or a server takes on with each part of Stowage. */
const code = {
  hook: 'export { useUpload } from "@stowage/react";',
  dropzone: 'export { UploadDropzone } from "@stowage/react";',
  helper: 'export { createStowage } from "@stowage/server";',
};
export type Part = keyof typeof code;

const folder = fileURLToPath(new URL("../..", import.meta.url));

/** @returns bytes as they are sent, gzip, of what is built */
export async function weighOurs(): Promise<Record<Part, number>> {
  const page = async (part: Part) => (await bundleForPage({ code: code[part], folder })).gzipBytes;
  return {
    hook: await page("hook"),
    dropzone: await page("dropzone"),
    helper: (await bundleForServer({ code: code.helper, folder })).gzipBytes,
  };
}
