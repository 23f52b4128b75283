import { formatBytes } from "@stowage/schemas/rules";
import { type FilesUsage, type ListedFile } from "@stowage/react";
import { useFiles } from "./uploader.js";

/** The user's documents, page by page. The helper serves them: this app has no code of its own for that. */
export function FileList() {
  const { files, status, error, usage, hasMore, hrefOf, loadMore, refresh, remove } = useFiles({
    route: "documents",
    usage: true,
  });
  return (
    <section aria-labelledby="stored">
      <h2 id="stored">
        <span>Stored </span>
        {usage && <span className="count">{usageText(usage)}</span>}
      </h2>
      {error && (
        <p role="alert">
          <span>{`${error.message} `}</span>
          {status === "failed" && <button onClick={() => void refresh()}>Try again</button>}
        </p>
      )}
      {files.length === 0 && status === "ready" && (
        <p className="lead">Nothing yet. Your uploads appear here once they are stored.</p>
      )}
      {files.length > 0 && (
        <ul className="files">
          {files.map((file) => (
            <FileRow
              key={file.file_path}
              file={file}
              href={hrefOf(file)}
              onDelete={() => confirm(`Delete ${file.filename}?`) && void remove(file)}
            />
          ))}
        </ul>
      )}
      {hasMore && (
        <button
          type="button"
          className="quiet more"
          disabled={status === "loading-more"}
          onClick={() => void loadMore()}
        >
          Show older documents
        </button>
      )}
    </section>
  );
}

function FileRow({ file, href, onDelete }: { file: ListedFile; href: string; onDelete(): void }) {
  return (
    <li>
      {isBlocked(file) ? (
        <span className="name" translate="no">
          {file.filename}
        </span>
      ) : (
        <a className="name" href={href} translate="no">
          {file.filename}
        </a>
      )}
      <span className="facts">
        <span>{`${formatBytes(file.size)} · ${file.content_type} · `}</span>
        <time dateTime={file.stored_at}>{formatTime(file.stored_at)}</time>
        <span>{scanText(file)}</span>
      </span>
      <button type="button" className="quiet" aria-label={`Delete ${file.filename}`} onClick={onDelete}>
        Delete
      </button>
    </li>
  );
}

/** Stowage refuses to download a file in which a virus was found. */
const isBlocked = ({ scan_status: scan }: ListedFile) => scan === "infected";

/** What a virus scan says about a file, if the project scans its files. */
function scanText({ scan_status: scan }: ListedFile): string {
  if (scan === "infected") return " · Blocked: a virus was found";
  if (scan === "unscannable") return " · Could not be checked for viruses";
  return scan === "pending" ? " · Checking for viruses" : "";
}

/** The storage that all files of the user take, such as `4.2 MB of 1 GB`. */
function usageText({ used_bytes, quota_bytes }: FilesUsage): string {
  const used = formatBytes(used_bytes);
  return quota_bytes === null ? used : `${used} of ${formatBytes(quota_bytes)}`;
}

/** Formats an RFC 3339 time as a date and a time of day, in the browser's language and time zone. */
function formatTime(rfc3339: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(rfc3339),
  );
}
