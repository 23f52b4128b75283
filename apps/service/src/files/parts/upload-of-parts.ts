import { StowageError } from "@stowage/schemas";
import { countParts } from "@stowage/schemas/rules";
import { files } from "#db/schema/index.js";

type FileRow = typeof files.$inferSelect;

/** What lists show about uploads by parts. */
export const partColumns = {
  declaredSize: files.declaredSize,
  partSize: files.partSize,
  multipart: files.multipart,
};

/** The sizes of a file that is uploaded by parts. */
export interface PartSizes {
  sizeBytes: number;
  /** Bytes of each part but the last, which has the rest. */
  partSizeBytes: number;
  partCount: number;
}

/** @returns null for a file that is uploaded with one PUT */
export function partSizesOf(file: Pick<FileRow, "declaredSize" | "partSize">): PartSizes | null {
  const { declaredSize: sizeBytes, partSize: partSizeBytes } = file;
  if (partSizeBytes === null || sizeBytes === null) return null;
  return { sizeBytes, partSizeBytes, partCount: countParts(sizeBytes, partSizeBytes) };
}

/**
 * Returns the sizes of an upload that still takes parts.
 *
 * @throws {StowageError} `invalid_request` for a file that is uploaded with one PUT; `upload_already_stored`; `upload_expired`
 */
export function requireOpenParts(
  file: Pick<FileRow, "declaredSize" | "partSize" | "status" | "urlExpiresAt">,
  now: Date,
): PartSizes {
  const sizes = partSizesOf(file);
  if (!sizes) {
    throw new StowageError("invalid_request", { detail: "file_path is not an upload by parts" });
  }
  if (file.status === "stored") throw new StowageError("upload_already_stored");
  if (file.status !== "pending" || file.urlExpiresAt <= now) throw new StowageError("upload_expired");
  return sizes;
}
