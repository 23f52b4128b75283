import { limits, StowageError } from "@stowage/schemas";
import type { PresetInput, SavePresetInput } from "@stowage/operator-schemas";
import { and, asc, eq, sql } from "drizzle-orm";
import type { ProjectActor } from "#audit/caller.js";
import { type AuditEntry, auditedTransaction } from "#audit/write-audit.js";
import type { Queries, Transaction } from "#db/client.js";
import { IS_CURRENT_PRESET } from "#db/schema/conditions.js";
import { imagePresets } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { lockProject } from "#projects/lock-project.js";
import { allParametersOf, hashParameters } from "./preset-parameters.js";

type PresetRow = typeof imagePresets.$inferSelect;

/** A preset as operators see it. */
export type PresetRecord = SavePresetInput;

interface ManagePresetsDeps {
  db: Queries;
  clock: () => Date;
}

/** Lists the presets of a project by their names. @throws {StowageError} `unavailable` */
export async function listPresets(deps: { db: Queries }, project: Project): Promise<PresetRecord[]> {
  return deps.db.run(async (db) => {
    const rows = await db
      .select()
      .from(imagePresets)
      .where(isPresetOf(project))
      .orderBy(asc(imagePresets.name));
    return rows.map(toRecord);
  });
}

/**
 * Creates a preset, or changes the one of this name. With other parameters it has no variants at first: those of the old parameters are
 * not handed out any more, and a job removes them. `eager` is about the files that are stored from then on.
 *
 * @throws {StowageError} `invalid_request` for a preset too many; `not_found`, `unavailable`
 */
export function savePreset(
  deps: ManagePresetsDeps,
  actor: ProjectActor,
  input: SavePresetInput,
): Promise<PresetRecord> {
  const { project } = actor;
  return auditedTransaction(deps, actor, async (_, tx) => {
    await lockProject(tx, project);
    const presets = await tx.select().from(imagePresets).where(isPresetOf(project));
    const before = presets.find(({ name }) => name === input.name);
    if (!before && presets.length >= limits.imagePresets)
      throw new StowageError("invalid_request", {
        detail: `A project can have at most ${limits.imagePresets} image presets`,
      });
    const [hash = "", avifHash = null] = allParametersOf(input).map(hashParameters);
    const isSame = before?.hash === hash && before.avifHash === avifHash;
    if (isSame && before.eager === input.eager) return { result: toRecord(before), entry: null };
    const at = deps.clock();
    if (isSame)
      await tx
        .update(imagePresets)
        .set({ eager: input.eager })
        .where(and(eq(imagePresets.projectId, project.id), eq(imagePresets.id, before.id)));
    else {
      if (before) await retire(tx, before, at);
      await tx
        .insert(imagePresets)
        .values({ ...input, projectId: project.id, hash, avifHash, createdAt: at });
    }
    const entry = entryOf(project, before ? "preset.changed" : "preset.created", input);
    return { result: input, entry };
  });
}

/**
 * Deletes a preset. Its variants are not handed out any more, and a job removes them.
 *
 * @throws {StowageError} `preset_not_found`, `not_found`, `unavailable`
 */
export function deletePreset(
  deps: ManagePresetsDeps,
  actor: ProjectActor,
  { name }: PresetInput,
): Promise<PresetRecord> {
  const { project } = actor;
  return auditedTransaction(deps, actor, async (_, tx) => {
    await lockProject(tx, project);
    const [preset] = await tx
      .select()
      .from(imagePresets)
      .where(and(isPresetOf(project), eq(imagePresets.name, name)));
    if (!preset) throw new StowageError("preset_not_found");
    await retire(tx, preset, deps.clock());
    const result = toRecord(preset);
    return { result, entry: entryOf(project, "preset.deleted", result) };
  });
}

function isPresetOf(project: Project) {
  return and(eq(imagePresets.projectId, project.id), sql.raw(IS_CURRENT_PRESET));
}

async function retire(tx: Transaction, { projectId, id }: PresetRow, retiredAt: Date): Promise<void> {
  await tx
    .update(imagePresets)
    .set({ retiredAt, eager: false })
    .where(and(eq(imagePresets.projectId, projectId), eq(imagePresets.id, id)));
}

function entryOf(project: Project, action: AuditEntry["action"], preset: PresetRecord): AuditEntry {
  return { action, projectId: project.id, details: { ...preset } };
}

function toRecord(row: PresetRow): PresetRecord {
  const { name, width, height, fit, format, quality, eager, animated } = row;
  return { name, width, height, fit, format, quality, eager, animated };
}
