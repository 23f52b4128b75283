import { S3Error } from "../errors.js";

/** What must be true of the object that is there, when another is put in its place. */
export type WriteCondition =
  | { readonly kind: "none" }
  | { readonly kind: "absent" }
  /** `*`, or an ETag without quotes. */
  | { readonly kind: "match"; readonly etag: string };

/** @throws S3Error PreconditionFailed; NoSuchKey when a match is asked of an object that is not there */
export function requireHeld(condition: WriteCondition, currentEtag: string | undefined): void {
  if (condition.kind === "absent" && currentEtag !== undefined) throw new S3Error("PreconditionFailed");
  if (condition.kind !== "match") return;
  if (currentEtag === undefined) throw new S3Error("NoSuchKey");
  if (condition.etag !== "*" && condition.etag !== currentEtag) throw new S3Error("PreconditionFailed");
}
