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

/** For a bucket nobody has configured: a page on any local port may upload and read, and none may delete. */
export const DEFAULT_CORS: readonly CorsRule[] = [
  {
    allowedOrigins: ["*"],
    allowedMethods: ["GET", "PUT", "HEAD"],
    allowedHeaders: ["*"],
    exposeHeaders: ["ETag"],
    maxAgeSeconds: 600,
  },
];
