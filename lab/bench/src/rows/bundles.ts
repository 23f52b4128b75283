import { fileURLToPath } from "node:url";
import { bundleForPage, bundleForServer } from "@stowage/bundle";
import { type Part, weighOurs } from "../bundles/weigh-ours.js";
import { summarise } from "../measure/statistics.js";
import { peersFolder, requirePeers } from "../peers/require-peers.js";
import type { Figure, Row, RowTools } from "../row.js";

const AWS = 'export { default as AwsS3 } from "@uppy/aws-s3"; export { default as Uppy } from "@uppy/core";';

/** The imports that each library documents. Style files are not counted for any side. */
const peers = {
  hook: {
    UploadThing:
      'import { generateReactHelpers } from "@uploadthing/react"; export default generateReactHelpers();',
    "better-upload": 'export { useUploadFiles } from "better-upload/client";',
    Uppy: AWS,
  },
  dropzone: {
    UploadThing: 'export { generateUploadDropzone } from "@uploadthing/react";',
    Uppy: `${AWS} export { default as Dashboard } from "@uppy/react/dashboard";`,
    FilePond: 'export { FilePond } from "react-filepond";',
  },
  helper: {
    UploadThing: 'export { createRouteHandler, createUploadthing } from "uploadthing/server";',
    "better-upload":
      'export { handleRequest, route } from "better-upload/server"; export { S3Client } from "@aws-sdk/client-s3";',
  },
} satisfies Record<Part, { UploadThing: string } & Record<string, string>>;

const measured: Record<Part, string> = {
  hook: "`useUpload` in a page, gzip",
  dropzone: "`UploadDropzone` in a page, gzip",
  helper: "`createStowage` in a server's bundle with all that it depends on, gzip",
};
/** The limits of hook and dropzone are in bytes: see `packages/react/test/size.test.ts`. */
const targets: Record<Part, Figure["target"]> = {
  hook: undefined,
  dropzone: undefined,
  helper: { atMost: 0.35 },
};

/** The gzip size of the production build without React, for all sides: what a page loads first, and all of a server. */
export const bundlesRow: Row = {
  name: "bundles",
  async run(tools) {
    requirePeers();
    const ours = await weighOurs();
    const figures: Figure[] = [];
    for (const part of ["hook", "dropzone", "helper"] as const) {
      const theirs = await weighPeers(part, tools);
      tools.say(`${part}: ${ours[part]} bytes of Stowage`);
      figures.push({
        measured: measured[part],
        against: "UploadThing's",
        ratio: summarise([ours[part] / theirs["UploadThing"]!]),
        target: targets[part],
        details: Object.entries({ Stowage: ours[part], ...theirs })
          .map(([name, bytes]) => `${name} ${bytes}`)
          .join(", ")
          .concat(" bytes"),
      });
    }
    return figures;
  },
};

async function weighPeers(part: Part, { say }: RowTools): Promise<Record<string, number>> {
  const bundle = part === "helper" ? bundleForServer : bundleForPage;
  const bytes: Record<string, number> = {};
  for (const [name, code] of Object.entries(peers[part])) {
    bytes[name] = (await bundle({ code, folder: fileURLToPath(peersFolder) })).gzipBytes;
    say(`${part}: ${bytes[name]} bytes of ${name}`);
  }
  return bytes;
}
