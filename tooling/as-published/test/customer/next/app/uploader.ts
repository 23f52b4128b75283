"use client";

import { createUploader } from "@stowage/react";
import { de } from "@stowage/react/locales/de";
import type { makeStowage } from "../stowage";

export const { UploadButton, UploadDropzone, useUpload } = createUploader<ReturnType<typeof makeStowage>>({
  endpoint: "/api/stowage",
  messages: de,
});
