import { StowageError } from "@stowage/schemas";
import type { VariantFailure } from "@stowage/operator-schemas";
import type { Queries } from "#db/client.js";
import { IS_CURRENT_PRESET } from "#db/schema/conditions.js";
import type { files } from "#db/schema/index.js";
import { randomRef, type RandomBytes } from "#lib/random.js";
import type { Project } from "#projects/find-project.js";
import { reviseVerdict } from "./revise-verdicts.js";
import { parametersOf, type PresetParameters, type VariantParameters } from "./preset-parameters.js";

type FileRow = typeof files.$inferSelect;

/** A variant whose object is in storage. */
export interface ReadyVariant {
  path: string;
  contentType: string;
  size: number;
  /** Whether the public bucket has a copy. */
  publication: VariantRow["publication"];
}

/** The variants of one preset for some files, as they were just read. */
export interface FoundVariants {
  parameters: VariantParameters;
  hash: string;
  /** By the file's id and ETag. */
  rows: Map<string, VariantRow>;
}

interface VariantRow {
  fileId: number;
  sourceEtag: string;
  path: string;
  status: "waiting" | "ready" | "failed" | "removing";
  failure: VariantFailure | null;
  /** ISO time; null unless a try has failed. */
  retryAt: string | null;
  contentType: string | null;
  size: number | null;
  publication: "none" | "begun" | "done";
}

export interface FindVariantDeps {
  /** For reads. */
  db: Queries;
  clock: () => Date;
  randomBytes: RandomBytes;
  settling: { db: Queries };
}

/**
 * Reads the variants of files, with one statement.
 *
 * @param wanted.name of the preset
 * @param wanted.accept the browser's header `Accept`, which chooses the format of a preset with the format `auto`
 * @throws {StowageError} `preset_not_found`, `unavailable`
 */
export async function findVariants(
  { db }: Pick<FindVariantDeps, "db">,
  project: Project,
  { name, accept }: { name: string; accept: string | undefined },
  fileIds: number[],
): Promise<FoundVariants> {
  const takesAvif = parametersOf({ ...anyPreset, format: "auto" }, accept).format === "avif";
  const rows = await db.execute<PresetAndVariant>(FIND, [project.id, name, takesAvif, `{${fileIds.join()}}`]);
  const [preset] = rows;
  if (!preset) throw new StowageError("preset_not_found");
  const variants = rows.flatMap((row) => (row.fileId === null ? [] : [row]));
  return {
    parameters: parametersOf(preset, accept),
    hash: preset.hash,
    rows: new Map(variants.map((row) => [keyOf(row.fileId, row.sourceEtag), row])),
  };
}

const anyPreset = { width: 1, height: 1, fit: "inside", quality: 1, animated: false } as const;

type PresetAndVariant = PresetParameters & { hash: string } & (VariantRow | { fileId: null });

const keyOf = (fileId: number, etag: string) => `${fileId} ${etag}`;

const FIND = `
select i.width, i.height, i.fit, i.format, i.quality, i.animated, i.hash,
  v.file_id as "fileId", v.source_etag as "sourceEtag", v.path, v.status, v.failure, v.retry_at as "retryAt",
  v.content_type as "contentType", v.size, v.publication
from (select width, height, fit, format, quality, animated, case when $3::boolean then coalesce(avif_hash, hash) else hash end as hash
      from image_presets where project_id = $1::bigint and name = $2 and ${IS_CURRENT_PRESET}) i
left join (select * from file_variants where project_id = $1::bigint and file_id = any($4::text::bigint[])) v
  on v.preset_hash = i.hash`;

/** A decode of a photo takes less than a second. */
const RETRY_AFTER_SECONDS = 1;

const FAILURES: Record<Exclude<VariantFailure, "image">, string> = {
  time: "it took too much time",
  memory: "it needed too much memory",
  crashed: "the decoder crashed",
  storage: "storage failed",
};

/**
 * Returns the variant of a file whose bytes may be handed out. If it is missing, a worker makes it.
 *
 * @throws {StowageError} `variant_pending`, `variant_impossible`, `variant_failed`, `unavailable`
 */
export async function requireVariant(
  deps: FindVariantDeps,
  project: Project,
  found: FoundVariants,
  file: FileRow,
): Promise<ReadyVariant> {
  const row = found.rows.get(keyOf(file.id, file.etag ?? ""));
  const failure = row?.status === "failed" ? row.failure : null;
  if (failure === "image") throw new StowageError("variant_impossible");
  if (failure)
    throw new StowageError("variant_failed", { detail: `Variant could not be made: ${FAILURES[failure]}` });
  if (row?.status === "ready")
    return {
      path: row.path,
      contentType: row.contentType ?? "",
      size: row.size ?? 0,
      publication: row.publication,
    };
  if (!row) await queueVariant(deps, project, found, file);
  if (row?.status === "failed")
    await reviseVerdict(deps.settling.db, row.path, { projectId: project.id, at: deps.clock() });
  throw new StowageError("variant_pending", { retryAfterSeconds: secondsUntilRetry(row, deps.clock()) });
}

/** The next try may be the one that succeeds. Rounded up, so that it is due by then. */
function secondsUntilRetry(row: VariantRow | undefined, now: Date): number {
  const retryAt = row?.status === "waiting" && row.retryAt !== null ? Date.parse(row.retryAt) : 0;
  return Math.max(0, Math.ceil((retryAt - now.getTime()) / 1000)) + RETRY_AFTER_SECONDS;
}

/** The row is there before the object, so that no object is without a row. A second call changes nothing. */
async function queueVariant(
  deps: FindVariantDeps,
  project: Project,
  { parameters, hash }: FoundVariants,
  { id, etag }: FileRow,
): Promise<void> {
  const path = `projects/${project.ref}/variants/${randomRef(deps.randomBytes)}`;
  const now = deps.clock().toISOString();
  const values = [project.id, id, hash, etag ?? "", path, JSON.stringify(parameters), now];
  await deps.settling.db.execute(QUEUE, values);
}

const QUEUE = `
insert into file_variants (project_id, file_id, preset_hash, source_etag, path, parameters, status, due_at, created_at)
values ($1::bigint, $2::bigint, $3, $4, $5, $6::text::jsonb, 'waiting', $7::timestamptz, $7::timestamptz)
on conflict do nothing`;
