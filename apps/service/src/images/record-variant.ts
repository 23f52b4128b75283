import type { VariantFailure } from "@stowage/operator-schemas";
import type { Queries } from "#db/client.js";
import type { FileImage } from "#db/schema/index.js";
import type { ObjectStore } from "#object-store/object-store.js";
import { keyOf, OF_CLAIM, type VariantClaim } from "./claim-variant.js";
import type { ImageInfo } from "./decode/protocol.js";

interface RecordDeps {
  db: Queries;
  clock: () => Date;
}

/** Records that the object is there. If the claim is over and no row knows the object, the object is removed again. */
export async function recordReady(
  deps: RecordDeps & { store: Pick<ObjectStore, "remove"> },
  claim: VariantClaim,
  variant: { size: number; contentType: string },
): Promise<void> {
  const values = [...keyOf(claim), variant.size, variant.contentType];
  const rows = await deps.db.execute(READY, values);
  if (rows.length > 0) return;
  // A row that is being removed, or that another worker has claimed, knows the object.
  const [known] = await deps.db.execute(FIND, [claim.projectId, claim.path]);
  if (!known) await deps.store.remove(claim.path);
}

const READY = `
update file_variants set status = 'ready', due_at = null, retry_at = null, size = $6::bigint, content_type = $7, failure = null,
  reason = null
where ${OF_CLAIM} returning path`;

const FIND = `select path from file_variants where project_id = $1::bigint and path = $2`;

/**
 * Records that the variant is not tried again: with `image`, because no try can succeed; with another failure, until an operator asks
 * for it.
 */
export async function recordFailed(
  deps: RecordDeps,
  claim: VariantClaim,
  { failure, reason }: { failure: VariantFailure; reason: string },
): Promise<void> {
  await deps.db.execute(FAILED, [...keyOf(claim), failure, reason, failure === "image" ? 0 : 1]);
}

const FAILED = `
update file_variants set status = 'failed', due_at = null, retry_at = null, failure = $6, reason = $7,
  failures = failures + $8::integer, decoder_failures = decoder_failures + $8::integer
where ${OF_CLAIM}`;

/** Ends a variant that must not be made any more, for example because its file was deleted. The job removes the row. */
export async function endVariant(deps: RecordDeps, claim: VariantClaim): Promise<void> {
  await deps.db.execute(END, [...keyOf(claim), deps.clock().toISOString()]);
}

const END = `update file_variants set status = 'removing', due_at = $6::timestamptz where ${OF_CLAIM}`;

/** Records what the first decode found out about the image, if the file still has these bytes. */
export async function recordImage(deps: RecordDeps, claim: VariantClaim, image: ImageInfo): Promise<void> {
  const { projectId, fileId, sourceEtag } = claim;
  const { width, height, placeholder } = image;
  const value: FileImage = { width, height, placeholder, etag: sourceEtag };
  await deps.db.execute(IMAGE, [projectId, fileId, sourceEtag, JSON.stringify(value)]);
}

const IMAGE = `
update files set image = $4::text::jsonb
where project_id = $1::bigint and id = $2::bigint and etag = $3 and image ->> 'etag' is distinct from etag`;
