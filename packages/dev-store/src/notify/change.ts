/** What happened to an object, once it is on disk. Names are S3's own. */
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
