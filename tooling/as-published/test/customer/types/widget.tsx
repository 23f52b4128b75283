import { UploadDropzone, useUpload, type UploadItem } from "@stowage/react";
import "@stowage/react/styles.css";

/** The widget without the types of a helper. Only tsc reads this file: here, and where the packages are installed. */
export function Documents() {
  const { items, totals, isOffline, add, cancelAll } = useUpload({ endpoint: "/api/upload", maxSize: "4MB" });
  return (
    <section aria-busy={totals.active > 0}>
      <UploadDropzone
        endpoint="/api/upload"
        accept={["image/*", ".pdf"]}
        maxSize="10 MB"
        maxFiles={3}
        onUploaded={(file, item) => console.log(file.file_path.toUpperCase(), item.name)}
        onFailed={(failure) => console.log(failure.code, failure.message)}
      />
      <input type="file" onChange={({ target }) => add(target.files ?? [])} />
      <button type="button" disabled={isOffline} onClick={() => cancelAll()}>
        {items.map(nameOf).join()}
      </button>
    </section>
  );
}

function nameOf(item: UploadItem): string {
  switch (item.status) {
    case "done":
      return item.result.filename;
    case "failed":
      return item.error.message;
    default:
      return `${item.name}: ${item.sentBytes.toFixed()}`;
  }
}

export const misuses = (
  <>
    {/* @ts-expect-error: unknown unit */}
    <UploadDropzone endpoint="/api/upload" maxSize="4 apples" />
    {/* @ts-expect-error: unknown prop */}
    <UploadDropzone endpoint="/api/upload" onUploadComplete={() => {}} />
    {/* @ts-expect-error: an address is a string */}
    <UploadDropzone endpoint={7} />
    {/* @ts-expect-error: unknown policy */}
    <UploadDropzone endpoint="/api/upload" duplicates="maybe" />
  </>
);
