import { createUploader } from "@stowage/react";
import type { stowage } from "./routes.js";

/** The widget with the types of the helper's routes. */
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
    {/* @ts-expect-error: unknown route */}
    <UploadDropzone route="avatars" />
    {/* @ts-expect-error: this route needs an input */}
    <UploadDropzone route="document" />
    {/* @ts-expect-error: an album is a number */}
    <UploadDropzone route="document" input={{ album: "seven" }} />
    {/* @ts-expect-error: a date is a string after JSON */}
    <UploadDropzone route="avatar" onUploaded={(_, { data }) => data.takenAt.getTime()} />
    {/* @ts-expect-error: onComplete returns no such property */}
    <UploadDropzone route="avatar" onUploaded={(_, { data }) => data.uri} />
  </>
);
