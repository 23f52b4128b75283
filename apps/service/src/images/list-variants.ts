import type { FileInput, VariantFailure } from "@stowage/operator-schemas";
import type { Queries } from "#db/client.js";
import { IS_CURRENT_PRESET, IS_FAILED_VARIANT, IS_FAILING_VARIANT } from "#db/schema/conditions.js";
import { type BoundedCount, boundedCount, MAX_COUNT } from "#lib/bounded-count.js";
import { toIsoTime } from "#lib/time.js";
import type { Project } from "#projects/find-project.js";

/** A variant of a file as operators see it. */
export interface ListedVariant {
  preset: string;
  format: string;
  /** `impossible`: the file is no image that can be decoded. `failed`: it is not tried again by itself. */
  state: "waiting" | "ready" | "failed" | "impossible";
  /** Why the last try failed; null if it did not. */
  failure: VariantFailure | null;
  /** What the decoder said about it, or which limit it met; null if nothing did. For operators: the words may change. */
  reason: string | null;
  /** When it is tried again; null unless it waits for that. */
  retryAt: string | null;
}

/** Lists the variants of the file's bytes, by the names of their presets. @throws {StowageError} `unavailable` */
export async function listVariantsOfFile(
  deps: { db: Queries; clock: () => Date },
  project: Project,
  { fileId }: FileInput,
): Promise<ListedVariant[]> {
  const rows = await deps.db.execute<ListedVariant>(LIST, [project.id, fileId]);
  const now = deps.clock().toISOString();
  return rows.map(({ retryAt, ...row }) => {
    const at = retryAt === null ? null : toIsoTime(retryAt);
    return { ...row, retryAt: row.state === "waiting" && at !== null && at > now ? at : null };
  });
}

const LIST = `
select i.name as preset, v.parameters ->> 'format' as format, v.failure, v.reason, v.retry_at as "retryAt",
  case when v.status = 'failed' and v.failure = 'image' then 'impossible'
       when v.status = 'failed' and v.failure is null then 'waiting' else v.status::text end as state
from files f
join file_variants v on v.project_id = f.project_id and v.file_id = f.id and v.source_etag = f.etag
join image_presets i on i.project_id = v.project_id and ${IS_CURRENT_PRESET} and v.preset_hash in (i.hash, i.avif_hash)
where f.project_id = $1::bigint and f.id = $2::bigint and v.status <> 'removing'
order by preset, format`;

/** The variants of a project, or of all, that could not be made. */
export interface VariantTroubles {
  /** Those that are not tried again by themselves. */
  failed: BoundedCount;
  /** Those that are tried again. */
  failing: BoundedCount;
}

export interface ProjectVariantTroubles extends VariantTroubles {
  /** The newest files with failed variants. */
  files: { fileId: number; filename: string; failure: VariantFailure }[];
}

/** @throws {StowageError} `unavailable` */
export async function readVariantTroubles(
  deps: { db: Queries },
  project: Project,
): Promise<ProjectVariantTroubles> {
  const [counts, files] = await Promise.all([
    countVariantTroubles(deps.db, MAX_COUNT + 1, project),
    deps.db.execute<ProjectVariantTroubles["files"][number]>(FIND_FILES, [project.id]),
  ]);
  return {
    failed: boundedCount(counts.failed, false),
    failing: boundedCount(counts.failing, false),
    files,
  };
}

const FILES_SHOWN = 20;

const FIND_FILES = `
select distinct on (v.file_id) v.file_id as "fileId", f.filename, v.failure
from (select project_id, file_id, failure from file_variants where project_id = $1::bigint and ${IS_FAILED_VARIANT}) v
join files f on f.project_id = v.project_id and f.id = v.file_id
order by v.file_id desc limit ${FILES_SHOWN}`;

/**
 * Counts them, each up to a bound.
 *
 * @param project undefined: all projects
 * @throws {StowageError} `unavailable`
 */
export async function countVariantTroubles(
  db: Queries,
  maxCount: number,
  project?: Project,
): Promise<{ failed: number; failing: number }> {
  const count = async (condition: string) => {
    // The subquery has a column, because Citus cannot pass rows without one from the nodes to the coordinator.
    const [row] = await db.execute<{ count: number }>(
      `select count(*)::integer as count
       from (select file_id from file_variants
             where ${condition} ${project ? "and project_id = $1::bigint" : ""}
             order by project_id, file_id limit ${maxCount}) counted`,
      project ? [project.id] : [],
    );
    return row!.count;
  };
  const [failed, failing] = [await count(IS_FAILED_VARIANT), await count(IS_FAILING_VARIANT)];
  return { failed, failing };
}
