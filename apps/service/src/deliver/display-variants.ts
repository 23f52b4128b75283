import { type ErrorCode, StowageError } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import { IS_CURRENT_PRESET } from "#db/schema/conditions.js";
import type { files } from "#db/schema/index.js";
import {
  findVariants,
  type FindVariantDeps,
  type ReadyVariant,
  requireVariant,
} from "#images/find-variant.js";
import type { Project } from "#projects/find-project.js";

/** Where the dashboard shows an image. */
export type Place = "list" | "page";

/** What a preset must be for a place. `side` is the smaller one, in pixels. */
const FITS: Record<Place, { minSide: number; maxSide: number; isWhole: boolean }> = {
  // A list shows up to 64 CSS pixels, on screens with up to three times as many.
  list: { minSide: 48, maxSide: 512, isWhole: false },
  // The page of a file shows the whole image, up to 480 CSS pixels high.
  page: { minSide: 480, maxSide: 4096, isWhole: true },
};

type FileRow = typeof files.$inferSelect;

export type DisplayVariantsDeps = Pick<FindVariantDeps, "clock" | "randomBytes"> & { db: Queries };

/**
 * Finds the variants of the smallest preset that fits a place. Those that are missing are queued.
 *
 * @returns a function that answers null for an image without one
 * @throws {StowageError} `unavailable`
 */
export async function displayVariants(
  deps: DisplayVariantsDeps,
  project: Project,
  images: FileRow[],
  place: Place,
): Promise<(image: FileRow) => Promise<ReadyVariant | null>> {
  const { minSide, maxSide, isWhole } = FITS[place];
  const values = [project.id, minSide, maxSide, isWhole];
  const [preset] = images.length === 0 ? [] : await deps.db.execute<{ name: string }>(FIND_PRESET, values);
  if (!preset) return async () => null;
  const ids = images.map(({ id }) => id);
  const wanted = { name: preset.name, accept: undefined };
  const found = await findVariants(deps, project, wanted, ids).catch(returnNull);
  if (!found) return async () => null;
  return (image) => requireVariant({ ...deps, settling: deps }, project, found, image).catch(returnNull);
}

/** @throws what says nothing about one image or preset */
function returnNull(error: unknown): null {
  const codes: ErrorCode[] = ["preset_not_found", "variant_pending", "variant_impossible", "variant_failed"];
  if (error instanceof StowageError && codes.includes(error.code)) return null;
  throw error;
}

const FIND_PRESET = `
select name from image_presets
where project_id = $1::bigint and ${IS_CURRENT_PRESET} and least(width, height) between $2::integer and $3::integer
  and (fit = 'inside' or not $4::boolean)
order by least(width, height), name limit 1`;
