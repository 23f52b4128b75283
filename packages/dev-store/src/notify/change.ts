/** A change of an object, after it is on disk. The event names are S3's. */
export type Change =
  | {
      readonly event: "ObjectCreated:Put" | "ObjectCreated:Copy" | "ObjectCreated:CompleteMultipartUpload";
      readonly bucket: string;
      readonly key: string;
      readonly etag: string;
      readonly sizeBytes: number;
    }
  | { readonly event: "ObjectRemoved:Delete"; readonly bucket: string; readonly key: string };

export type CreatedBy = Exclude<Change["event"], "ObjectRemoved:Delete">;
