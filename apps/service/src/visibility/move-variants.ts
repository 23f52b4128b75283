import { removeEach } from "#cdn/remove-each.js";
import { downloadHeaders } from "#files/record/download-headers.js";
import { forgetVariant } from "#variants/remove-variants.js";
import { withExtension } from "#variants/variant-name.js";
import { findCopies } from "#variants/copies.js";
import type { PublicBucket } from "#object-store/object-store.js";
import { bucketOf } from "#object-store/bucket-of.js";
import type { MoveClaim } from "./claim-move.js";
import { type MoveFileDeps, publish } from "./publish.js";

/*
 * The variants of a public image are public too. Their objects stay in the private bucket, for signed URLs, and have a copy in the public
 * one. Only the process that has claimed the move of the file writes and removes these copies, so they follow the file.
 */

interface MovedVariant {
  path: string;
  contentType: string | null;
}

/**
 * Copies the variants that are ready into the public bucket. A call to storage may fail: then the next try copies the rest.
 *
 * @returns false if the file has changed meanwhile
 * @throws {StowageError} `unavailable`
 */
export async function publishVariants(
  deps: MoveFileDeps,
  published: PublicBucket,
  claim: MoveClaim,
): Promise<boolean> {
  const { projectId, id, etag, filename, cacheControl } = claim.file;
  const ready = await deps.db.execute<MovedVariant>(FIND_READY, [projectId, id, etag ?? ""]);
  for (const { path, contentType } of ready) {
    const object = await deps.store.head(path);
    if (!object) {
      // Someone has deleted it with the bucket's own keys. It is made again on demand.
      await forgetVariant(deps, projectId, path);
      continue;
    }
    // It may be on its way out.
    const [begun] = await deps.db.execute(BEGIN, [projectId, path]);
    if (!begun) continue;
    const type = contentType ?? "";
    const headers = {
      ...downloadHeaders({
        contentType: type,
        filename: withExtension(filename, type),
        disposition: "inline",
      }),
      cacheControl: cacheControl ?? undefined,
    };
    const outcome = await publish(deps, published, claim, { path, etag: object.etag }, headers);
    if (outcome === "over") return false;
    if (typeof outcome === "string") throw new Error(`the object of a variant is ${outcome}`);
    await deps.db.execute(DONE, [projectId, path]);
  }
  return true;
}

const FIND_READY = `
select path, content_type as "contentType" from file_variants
where project_id = $1::bigint and file_id = $2::bigint and source_etag = $3 and status = 'ready' and publication <> 'done'`;

const BEGIN = `
update file_variants set publication = 'begun'
where project_id = $1::bigint and path = $2 and status = 'ready' and publication <> 'done' returning path`;

const DONE = `
update file_variants set publication = 'done'
where project_id = $1::bigint and path = $2 and status = 'ready' and publication = 'begun' returning path`;

/**
 * Removes the copies of all variants from the public bucket.
 *
 * @param options.mayLand whether another copy may still land: then they are removed again later
 * @throws {StowageError} `unavailable`
 */
export async function takeVariantsBack(
  deps: MoveFileDeps,
  { file: { projectId, id } }: MoveClaim,
  { mayLand }: { mayLand: boolean },
): Promise<void> {
  // Before the removal: if its purge is refused and the file is made public again, the variant needs another copy.
  await deps.db.execute(UNDONE, [projectId, id]);
  await removeEach(await findCopies(deps, { projectId, id }), async (path) => {
    await bucketOf(deps.store, "public").remove(path);
    if (!mayLand) await deps.db.execute(REMOVED, [projectId, path]);
  });
}

const UNDONE = `
update file_variants set publication = 'begun'
where project_id = $1::bigint and file_id = $2::bigint and publication = 'done'`;

const REMOVED = `
update file_variants set publication = 'none' where project_id = $1::bigint and path = $2 returning path`;
