import { formatBytes } from "@stowage/schemas/rules";
import { backend, type Document } from "./backend.js";

interface FileListProps {
  files: Document[] | undefined;
  onDelete: (path: string) => void;
}

export function FileList({ files, onDelete }: FileListProps) {
  return (
    <section aria-labelledby="stored">
      <h2 id="stored">Stored{files ? <span className="count"> {files.length}</span> : null}</h2>
      {files?.length === 0 && (
        <p className="lead">Nothing yet. Your uploads appear here once they are stored.</p>
      )}
      {files && files.length > 0 && (
        <ul className="files">
          {files.map((file) => (
            <li key={file.filePath}>
              <a className="name" href={backend.downloadHref(file.filePath)}>
                {file.filename}
              </a>
              <span className="facts">
                {formatBytes(file.size ?? 0)} · {file.contentType} ·{" "}
                <time dateTime={file.storedAt ?? file.createdAt}>
                  {formatTime(file.storedAt ?? file.createdAt)}
                </time>
              </span>
              <button
                type="button"
                className="quiet"
                aria-label={`Delete ${file.filename}`}
                onClick={() => onDelete(file.filePath)}
              >
                Delete
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Formats an RFC 3339 time as a date and a time of day, in the browser's language and time zone. */
function formatTime(rfc3339: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(rfc3339),
  );
}
