import { UploadDropzone } from "@stowage/react";

/** Uploads large files, which are sent by parts. */
export default function Films() {
  return <UploadDropzone endpoint="/api/stowage" route="films" />;
}
