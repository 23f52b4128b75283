/** One rule of a bucket's CORS configuration: https://docs.aws.amazon.com/AmazonS3/latest/userguide/ManageCorsUsing.html */
export interface CorsRule {
  readonly id?: string | undefined;
  /** Each with at most one `*`. */
  readonly allowedOrigins: readonly string[];
  readonly allowedMethods: readonly string[];
  /** Each with at most one `*`. */
  readonly allowedHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  readonly maxAgeSeconds?: number | undefined;
}

/** The rules of a bucket without a configuration: any page may upload and read, also parts of files, and no page may delete. */
export const DEFAULT_CORS: readonly CorsRule[] = [
  {
    allowedOrigins: ["*"],
    allowedMethods: ["GET", "PUT", "HEAD"],
    allowedHeaders: ["*"],
    exposeHeaders: ["ETag", "Accept-Ranges", "Content-Range", "Content-Length", "Content-Encoding"],
    maxAgeSeconds: 600,
  },
];
