"use client";

import { UploadDropzone, useFiles } from "@stowage/react";
import "@stowage/react/styles.css";
import "./documents.css";

const ENDPOINT = "/api/stowage";

/** The signed-in user's files: uploads new ones, and lists, downloads and deletes stored ones. */
export function Documents() {
  return (
    <main className="documents">
      <h1>Your files</h1>
      <UploadDropzone endpoint={ENDPOINT} />
      <FileList />
    </main>
  );
}

/** Uploaded files appear here by themselves. */
function FileList() {
  const { files, status, error, hasMore, hrefOf, loadMore, refresh, remove } = useFiles({
    endpoint: ENDPOINT,
  });
  return (
    <section aria-labelledby="stored">
      <h2 id="stored">Stored</h2>
      {error && (
        <p role="alert">
          <span>{`${error.message} `}</span>
          {status === "failed" && <button onClick={() => void refresh()}>Try again</button>}
        </p>
      )}
      {status === "ready" && files.length === 0 && <p>Nothing yet.</p>}
      <ul>
        {files.map((file) => (
          <li key={file.file_path}>
            <a href={hrefOf(file)} translate="no">
              {file.filename}
            </a>
            <span>{`${Math.ceil(file.size / 1000).toLocaleString("en")} kB`}</span>
            <button
              aria-label={`Delete ${file.filename}`}
              onClick={() => confirm(`Delete ${file.filename}?`) && void remove(file)}
            >
              Delete
            </button>
          </li>
        ))}
      </ul>
      {hasMore && <button onClick={() => void loadMore()}>Show older files</button>}
    </section>
  );
}
