import { createUploader } from "@stowage/react";
import type { Uploads } from "#server/stowage.js";

/** The widget, typed with the upload routes of this app: an unknown route does not compile. */
export const { UploadDropzone, UploadButton, useFiles } = createUploader<Uploads>({
  endpoint: "/api/stowage",
});
