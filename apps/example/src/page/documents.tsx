import { Upload } from "@stowage/react";
import { FileList } from "./file-list.js";
import { UploadDropzone } from "./uploader.js";

/** Uploads documents and lists them. New ones appear in the list by themselves. */
export function Documents() {
  return (
    <>
      <h1>Your documents</h1>
      <UploadDropzone route="documents" label="Upload documents" preview={Upload.Preview} />
      <FileList />
    </>
  );
}
