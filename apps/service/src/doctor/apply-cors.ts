import type { CorsRule, StorageClient } from "#object-store/object-store.js";

/** The name of Stowage's rule in a bucket. Applying again replaces this rule and keeps the others. */
const RULE_ID = "stowage";

/**
 * What a page may read. A resumed upload compares ETags. The others are for readers that load parts of a file, such as PDF.js: without
 * `Accept-Ranges` it loads the whole file before it shows the first page.
 */
export const EXPOSED_HEADERS = [
  "ETag",
  "Accept-Ranges",
  "Content-Range",
  "Content-Length",
  "Content-Encoding",
];

type CorsClient = Pick<StorageClient, "readCors" | "writeCors">;

/** All rules that the buckets have now, as storage reports them. */
export interface AppliedCors {
  rules: CorsRule[];
  /** Null: there is no public bucket. */
  publicRules: CorsRule[] | null;
}

/**
 * Allows pages of these origins to upload to the private bucket and to download from it, and all pages to read in the public bucket, if
 * there is one. Everyone can read public files anyway, and a CDN keeps one answer for the pages of all origins. The buckets' other rules do
 * not change.
 *
 * @throws {StowageError} `unavailable`
 */
export async function applyCors(
  { store }: { store: CorsClient & { published: CorsClient | null } },
  origins: string[],
): Promise<AppliedCors> {
  const rules = await replaceRule(store, [...new Set(origins)], ["PUT", "GET", "HEAD"]);
  const { published } = store;
  return { rules, publicRules: published && (await replaceRule(published, ["*"], ["GET", "HEAD"])) };
}

async function replaceRule(bucket: CorsClient, origins: string[], methods: string[]): Promise<CorsRule[]> {
  const others = (await bucket.readCors()).filter((rule) => rule.id !== RULE_ID);
  const rule = { origins, methods, headers: ["*"], exposedHeaders: EXPOSED_HEADERS, maxAgeSeconds: 600 };
  // Storage applies the first rule that matches, so a broader rule before this one would hide it.
  await bucket.writeCors([{ id: RULE_ID, ...rule }, ...others]);
  return bucket.readCors();
}
