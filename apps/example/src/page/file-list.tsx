import type { File } from "@stowage/schemas";
import { formatBytes, formatTime } from "./format.js";

export function FileList({ files }: { files: File[] | undefined }) {
  return (
    <section aria-labelledby="stored">
      <h2 id="stored">Stored{files ? <span className="count"> {files.length}</span> : null}</h2>
      {files?.length === 0 && (
        <p className="lead">Nothing yet. What you upload is listed here once it is stored.</p>
      )}
      {files && files.length > 0 && (
        <ul className="files">
          {files.map((file) => (
            <li key={file.file_path}>
              <span className="name">{file.filename}</span>
              <span className="facts">
                {formatBytes(file.size ?? 0)} · {file.content_type} ·{" "}
                <time dateTime={file.stored_at ?? file.created_at}>
                  {formatTime(file.stored_at ?? file.created_at)}
                </time>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
