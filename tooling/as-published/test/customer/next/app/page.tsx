import { UploadButton, UploadDropzone } from "@stowage/react";
import * as Upload from "@stowage/react/parts";
import { UploadDropzone as AvatarDropzone } from "./uploader";

/** A server component, because the file has no "use client". */
export default async function Page() {
  return (
    <main>
      <section id="dropzone">
        <UploadDropzone endpoint="/api/stowage" route="avatar" />
      </section>
      <section id="button">
        <UploadButton endpoint="/api/stowage" route="avatar" />
      </section>
      <section id="parts">
        <Upload.Root endpoint="/api/stowage" route="avatar">
          <Upload.Dropzone>
            <Upload.Trigger>Pick a picture</Upload.Trigger>
          </Upload.Dropzone>
          <Upload.List />
          <Upload.Status />
        </Upload.Root>
      </section>
      <section id="bound">
        <AvatarDropzone route="avatar" />
      </section>
    </main>
  );
}
