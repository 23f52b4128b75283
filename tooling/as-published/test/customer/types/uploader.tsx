import { createUploader } from "@stowage/react";
import type { stowage } from "./routes.js";

/** The widget with the types of the helper's routes. */
const { UploadDropzone, useFiles, useUpload } = createUploader<typeof stowage>({ endpoint: "/api/upload" });

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

export function Stored() {
  const { files, status, usage, error, hasMore, loadMore, refresh, remove, hrefOf, urlOf } = useFiles({
    route: "document",
    usage: true,
  });
  const all = useFiles();
  const total: number = files.reduce((sum, { size }) => sum + size, all.files.length);
  const states: Record<typeof status, true> = {
    loading: true,
    ready: true,
    "loading-more": true,
    failed: true,
  };
  return (
    <section aria-busy={status === "loading"} data-states={Object.keys(states).join()}>
      {error && `${error.code.toUpperCase()} ${error.message}`}
      {usage && usage.used_bytes + (usage.quota_bytes ?? 0) + total}
      {files.map((file) => (
        <a key={file.file_path} href={hrefOf(file, { disposition: "inline" })} title={file.route}>
          {file.filename} {file.stored_at.slice(0, 10)}
          <button onClick={() => void remove(file)}>Delete</button>
          <button onClick={async () => (await urlOf(file)).slice()}>Copy</button>
        </a>
      ))}
      {hasMore && <button onClick={() => void loadMore()}>More</button>}
      <button onClick={() => void refresh()}>Refresh</button>
    </section>
  );
}

export function Misused() {
  // @ts-expect-error: unknown route
  useFiles({ route: "documents" });
  // @ts-expect-error: the endpoint is an address
  useFiles({ endpoint: 7 });
  // @ts-expect-error: an unknown way to show a file
  return useFiles().hrefOf({ file_path: "a" }, { disposition: "window" });
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
