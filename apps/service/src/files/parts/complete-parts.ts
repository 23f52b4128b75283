import { StowageError } from "@stowage/schemas";
import { sizeOfPart } from "@stowage/schemas/rules";
import type { Queries } from "#db/client.js";
import type { files } from "#db/schema/index.js";
import type { MultipartRef, ObjectStore, StoredPart } from "#object-store/object-store.js";
import { claimCompletion, releaseCompletion } from "./claim-upload.js";
import { type PartSizes, partSizesOf } from "./upload-of-parts.js";

export interface CompletePartsDeps {
  db: Queries;
  clock: () => Date;
  store: Pick<ObjectStore, "listParts" | "completeMultipart">;
}

/** The parts that storage has with the right sizes. */
export interface PartsStored {
  count: number;
  bytes: number;
}

/**
 * - `completed`: storage made one object of the parts
 * - `unknown`: storage or the file does not know the upload, or no part was ever signed. Another call has ended it, or storage lost
 *   it: only a HEAD request tells
 * - `incomplete`: parts are missing or have the wrong size
 * - `refused`: storage has all parts and will never make one object of them
 * - `unanswered`: storage did not say whether it made the object. It may still be working
 */
export type PartsCompletion =
  | { outcome: "completed" | "unknown" }
  | { outcome: "incomplete" | "refused"; stored: PartsStored }
  | { outcome: "unanswered"; stored: PartsStored; error: unknown };

/** Each further attempt lists the parts again. More than one is needed only if a part is replaced at the same time. */
const MAX_ATTEMPTS = 3;
/** S3 lists 1,000 parts on a page. */
const MAX_PAGES = 100;

/**
 * Completes an upload by parts if storage has all its parts. The caller settles the file afterwards. Two calls at
 * the same time and a repeated call are harmless, because storage completes an upload once.
 *
 * @param file a pending file with a part size
 * @throws {StowageError} `unavailable` if the parts cannot be listed
 */
export async function completeParts(
  deps: CompletePartsDeps,
  file: typeof files.$inferSelect,
): Promise<PartsCompletion> {
  const sizes = partSizesOf(file);
  const uploadId = file.multipart?.uploadId;
  if (!sizes || uploadId === undefined) return { outcome: "unknown" };
  const { store } = deps;
  const upload = { path: file.path, uploadId };
  let stored: PartsStored = { count: 0, bytes: 0 };
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const parts = await listFittingParts(store, upload, sizes);
    if (!parts) return { outcome: "unknown" };
    stored = { count: parts.length, bytes: parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
    if (parts.length < sizes.partCount) return { outcome: "incomplete", stored };
    const claimedUntil = await claimCompletion(deps, file);
    if (!claimedUntil) return { outcome: "unknown" };
    let outcome;
    try {
      outcome = await store.completeMultipart(upload, parts);
    } catch (error) {
      return { outcome: "unanswered", stored, error };
    }
    if (outcome === "refused") {
      await releaseCompletion(deps, file, claimedUntil);
      return { outcome, stored };
    }
    if (outcome !== "changed") return { outcome };
  }
  const error = new StowageError("unavailable", {
    retryAfterSeconds: 1,
    cause: new Error("parts are replaced during every attempt to complete their upload"),
  });
  return { outcome: "unanswered", stored, error };
}

/** @returns the parts that belong to the file, in the order of their numbers; null if storage does not know the upload */
async function listFittingParts(
  store: Pick<ObjectStore, "listParts">,
  upload: MultipartRef,
  sizes: PartSizes,
): Promise<StoredPart[] | null> {
  const fitting: StoredPart[] = [];
  let after: number | null = 0;
  for (let pages = 0; pages < MAX_PAGES && after !== null; pages++) {
    const page = await store.listParts(upload, after);
    if (!page) return null;
    fitting.push(...page.parts.filter((part) => fits(part, sizes)));
    after = page.nextCursor;
  }
  return fitting;
}

function fits({ number, sizeBytes }: StoredPart, sizes: PartSizes): boolean {
  return number <= sizes.partCount && sizeBytes === sizeOfPart(number, sizes);
}
