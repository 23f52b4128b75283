import * as z from "zod";
import { camelKeys } from "../casing.js";
import { downloadOptions } from "../download-options.js";
import { errorCode } from "../error-code.js";
import { requestBody } from "../fields.js";
import { filePathList } from "../file-paths.js";
import { limits } from "../limits.js";
import type { About, Call } from "../call.js";
import { downloadResponse } from "./create-download.js";

/** Body of `POST /api/storage/downloads/`. Repeated paths count once. */
export const downloadsRequest = requestBody({
  file_paths: filePathList(limits.downloadPaths).describe("The files. Repeated paths count once."),
  ...downloadOptions,
}).transform(({ file_paths, ...rest }) => ({ ...camelKeys(rest), filePaths: [...new Set(file_paths)] }));
export type DownloadsRequest = z.output<typeof downloadsRequest>;

/** Answer of `POST /api/storage/downloads/`. Each requested path is in one of the lists, in the order of the request. */
export const downloadsResponse = z.object({
  downloads: z.array(downloadResponse),
  not_found: z.array(z.string()),
  refused: z
    .array(
      z.object({
        file_path: z.string(),
        code: errorCode,
        detail: z.string(),
        retry_after: z
          .int()
          .describe("Seconds after which the same request may succeed. Missing if that is not known.")
          .optional(),
      }),
    )
    .describe(
      "Files that exist and may not be downloaded, for example because they are not scanned yet. Missing if there are none.",
    )
    .optional(),
});
export type DownloadsResponse = z.infer<typeof downloadsResponse>;

export const call = {
  method: "POST",
  path: "/api/storage/downloads/",
  body: downloadsRequest,
  bodyBytes: limits.downloadsBodyBytes,
  answer: downloadsResponse,
} as const satisfies Call;

export const about = {
  tag: "Downloads",
  names: { body: "DownloadsRequest", answer: "DownloadList" },
  lane: "read",
  summary: "Request the download URLs of up to 100 files",
  description:
    "A download URL for each file, for galleries and lists. Unknown paths are in not_found. Files that are not scanned or in quarantine, or whose variant is not ready, are in refused with the code of the error. If storage does not answer about a file, the whole request is answered with 503.",
  errors: ["tenant_id_required", "preset_not_found"],
  example: {
    file_paths: ["$FILE_PATH", "projects/none"],
    tenant_id: "user_42",
    disposition: "inline",
    reuse: true,
  },
} as const satisfies About;
