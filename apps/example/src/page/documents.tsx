import { Upload } from "@stowage/react";
import { useState } from "react";
import { backend } from "./backend.js";
import { FileList } from "./file-list.js";
import { UploadDropzone } from "./uploader.js";
import { useBackend } from "./use-backend.js";

/** Uploads documents and lists them. */
export function Documents() {
  const { data: documents, error: loadError, reload } = useBackend(backend.documents);
  const [deleteError, setDeleteError] = useState<string>();
  const deleteDocument = (path: string) => {
    setDeleteError(undefined);
    backend.deleteDocument(path).then(reload, (error: Error) => setDeleteError(error.message));
  };
  return (
    <>
      <h1>Your documents</h1>
      <UploadDropzone
        route="documents"
        label="Upload documents"
        preview={Upload.Preview}
        onUploaded={reload}
      />
      {loadError && <p role="alert">{loadError}</p>}
      {deleteError && <p role="alert">{deleteError}</p>}
      <FileList files={documents} onDelete={deleteDocument} />
    </>
  );
}
