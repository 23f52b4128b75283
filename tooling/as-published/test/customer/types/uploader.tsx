import { createUploader } from "@stowage/react";
import type { stowage } from "./routes.js";

/*
 * The widget bound to a helper: what the backend says of its routes holds in the page, through both packages.
 */
const { UploadDropzone, useUpload } = createUploader<typeof stowage>({ endpoint: "/api/upload" });

export function Avatar() {
  const { items } = useUpload({ route: "avatar" });
  return (
    <>
      <UploadDropzone
        route="avatar"
        onUploaded={(file, { data }) => console.log(file.file_path, data.url.length, data.takenAt.length)}
      />
      <UploadDropzone route="document" input={{ album: 7 }} />
      {items.map((item) => (item.status === "done" ? item.data.url.toUpperCase() : item.name))}
    </>
  );
}

export const misuses = (
  <>
    {/* @ts-expect-error: no such route */}
    <UploadDropzone route="avatars" />
    {/* @ts-expect-error: this route takes an input */}
    <UploadDropzone route="document" />
    {/* @ts-expect-error: an album is a number */}
    <UploadDropzone route="document" input={{ album: "seven" }} />
    {/* @ts-expect-error: a date is text once JSON has carried it */}
    <UploadDropzone route="avatar" onUploaded={(_, { data }) => data.takenAt.getTime()} />
    {/* @ts-expect-error: onComplete returns no such thing */}
    <UploadDropzone route="avatar" onUploaded={(_, { data }) => data.uri} />
  </>
);
