import { Upload } from "@stowage/react";
import { useState } from "react";
import { backend } from "./backend.js";
import { FileList } from "./file-list.js";
import { UploadDropzone } from "./uploader.js";
import { useAnswer } from "./use-answer.js";

export function Documents() {
  const { answer: documents, problem, refresh } = useAnswer(backend.documents);
  const [refused, setRefused] = useState<string>();
  const remove = (path: string) => {
    setRefused(undefined);
    backend.deleteDocument(path).then(refresh, (error: Error) => setRefused(error.message));
  };
  return (
    <>
      <h1>Your documents</h1>
      <UploadDropzone
        route="documents"
        label="Upload documents"
        preview={Upload.Preview}
        onUploaded={refresh}
      />
      {[problem, refused].map(
        (text) =>
          text && (
            <p role="alert" key={text}>
              {text}
            </p>
          ),
      )}
      <FileList files={documents} onDelete={remove} />
    </>
  );
}
