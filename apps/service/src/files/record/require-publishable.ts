import { StowageError, type Visibility } from "@stowage/schemas";
import { isActiveType } from "./download-headers.js";
import type { ObjectStore } from "#object-store/object-store.js";

/** Storage copies no larger object in one request. */
const MAX_BYTES = 5 * 1024 ** 3;

/**
 * Refuses a file that cannot be public. Everyone may open a public file in a browser, on a host that has other files too, so no type is
 * public that a browser would run.
 *
 * @param visibility undefined for a private file
 * @throws {StowageError} `invalid_request`
 */
export function requirePublishable(
  { published }: Pick<ObjectStore, "published">,
  {
    visibility,
    contentType,
    size,
  }: { visibility: Visibility | undefined; contentType: string; size: number | null },
): void {
  if (visibility !== "public") return;
  if (!published) throw new StowageError("invalid_request", { detail: "Public files are not set up" });
  if (isActiveType(contentType))
    throw new StowageError("invalid_request", { detail: `Files of type ${contentType} cannot be public` });
  if (size !== null && size > MAX_BYTES)
    throw new StowageError("invalid_request", { detail: `A public file has at most ${MAX_BYTES} bytes` });
}

/** Whether {@link requirePublishable} allows the file to be public. */
export function isPublishable(
  { published }: Pick<ObjectStore, "published">,
  {
    contentType,
    size,
    declaredSize,
  }: { contentType: string; size: number | null; declaredSize: number | null },
): boolean {
  return published !== null && !isActiveType(contentType) && (size ?? declaredSize ?? 0) <= MAX_BYTES;
}
