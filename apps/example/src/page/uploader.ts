import { createUploader } from "@stowage/react";
import type { Uploads } from "#server/stowage.js";

/** The widget, knowing this app's upload routes: a name that is no route does not compile. */
export const { UploadDropzone, UploadButton } = createUploader<Uploads>({ endpoint: "/api/stowage" });
