import { StowageError } from "@stowage/schemas";
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

/** Storage did not take the rules of a bucket, and will not take them from these keys or in this form. */
export class CorsRefused extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(`HTTP ${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

/** What pages of these origins need in the private bucket: to upload and to download. */
export const privateRule = (origins: string[]) => toRule([...new Set(origins)], ["PUT", "GET", "HEAD"]);

/** What all pages need in the public bucket. Everyone can read public files anyway, and a CDN keeps one answer for all pages. */
export const publicRule = toRule(["*"], ["GET", "HEAD"]);

function toRule(origins: string[], methods: string[]): Omit<CorsRule, "id"> {
  return { origins, methods, headers: ["*"], exposedHeaders: EXPOSED_HEADERS, maxAgeSeconds: 600 };
}

/**
 * Allows pages of these origins to upload to the private bucket and to download from it, and all pages to read in the public bucket, if
 * there is one. The buckets' other rules do not change.
 *
 * @throws {CorsRefused} if storage refuses a rule
 * @throws {StowageError} `unavailable`
 */
export async function applyCors(
  { store }: { store: CorsClient & { published: CorsClient | null } },
  origins: string[],
): Promise<AppliedCors> {
  const { published } = store;
  const rules = await replaceRule(store, privateRule(origins));
  return { rules, publicRules: published && (await replaceRule(published, publicRule)) };
}

async function replaceRule(bucket: CorsClient, rule: Omit<CorsRule, "id">): Promise<CorsRule[]> {
  try {
    const others = (await bucket.readCors()).filter(({ id }) => id !== RULE_ID);
    // Storage applies the first rule that matches, so a broader rule before this one would hide it.
    await bucket.writeCors([{ id: RULE_ID, ...rule }, ...others]);
    return await bucket.readCors();
  } catch (error) {
    throw refusalIn(error) ?? error;
  }
}

const REFUSALS = [400, 403, 405, 501];

function refusalIn(error: unknown): CorsRefused | null {
  if (!(error instanceof StowageError) || !(error.cause instanceof Error)) return null;
  const { cause } = error;
  const metadata = ("$metadata" in cause ? cause.$metadata : {}) as { httpStatusCode?: number };
  const status = metadata.httpStatusCode ?? 0;
  return REFUSALS.includes(status) ? new CorsRefused(status, cause.name) : null;
}
