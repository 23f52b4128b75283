import { StowageError } from "@stowage/schemas";
import { eq } from "drizzle-orm";
import type { ProjectActor, ProjectCaller } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import type { Queries, Transaction } from "#db/client.js";
import { projects } from "#db/schema/index.js";
import type { ProjectDeps, ProjectWithKey } from "#projects/create-project.js";
import type { Project } from "#projects/find-project.js";
import { confirmAndLockProject, lockProject } from "#projects/lock-project.js";
import { regenerateKey } from "#projects/regenerate-key.js";

/** The parts of an API key that operators may see. They identify the key and do not reveal it. */
export interface KeyDescription {
  start: string;
  last4: string;
  createdAt: string;
  /** About one minute exact. Null if the key was never used. */
  lastUsedAt: string | null;
}

/** Describes a project's API key. @throws {StowageError} `not_found`, `unavailable` */
export async function describeKey(deps: { db: Queries }, project: Project): Promise<KeyDescription> {
  const [row] = await deps.db.run((db) =>
    db
      .select({
        start: projects.apiKeyStart,
        last4: projects.apiKeyLast4,
        createdAt: projects.keyCreatedAt,
        lastUsedAt: projects.keyLastUsedAt,
      })
      .from(projects)
      .where(eq(projects.id, project.id)),
  );
  if (!row) throw new StowageError("not_found", { detail: "Project not found" });
  const { createdAt, lastUsedAt } = row;
  return { ...row, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
}

/**
 * Gives the project a new API key. The old key is invalid on every replica when this returns. Only this result contains the new
 * key.
 *
 * @param input the project's name, which the caller typed to confirm
 * @throws {DashboardError} `name_mismatch`; {@link StowageError} `not_found`, `unavailable`
 */
export function replaceKey(
  deps: ProjectDeps,
  caller: ProjectCaller,
  input: { name: string },
): Promise<ProjectWithKey> {
  return replaceAudited(deps, caller, (tx) => confirmAndLockProject(tx, caller.project, input.name));
}

/** {@link replaceKey} without a confirmation, for the command line. @throws {StowageError} `not_found`, `unavailable` */
export function replaceKeyUnconfirmed(deps: ProjectDeps, actor: ProjectActor): Promise<ProjectWithKey> {
  return replaceAudited(deps, actor, (tx) => lockProject(tx, actor.project));
}

function replaceAudited(
  deps: ProjectDeps,
  actor: ProjectActor,
  lock: (tx: Transaction) => ReturnType<typeof lockProject>,
): Promise<ProjectWithKey> {
  const { project } = actor;
  return auditedTransaction(deps, actor, async (deps, tx) => {
    const before = await lock(tx);
    const result = await regenerateKey(deps, project.ref);
    // The entry identifies the old key. It contains no part of the new one.
    const details = { old_key_last4: before.apiKeyLast4 };
    return { result, entry: { action: "key.regenerated", projectId: project.id, details } };
  });
}
