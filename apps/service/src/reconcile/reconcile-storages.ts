import { StowageError } from "@stowage/schemas";
import { findProjectByRef } from "#projects/find-project.js";
import { scopeOf, type Storages } from "#projects/storages.js";
import {
  findMovingProjects,
  reconcile,
  type ReconcileDeps,
  type ReconcileFinding,
  type ReconcileInput,
} from "./reconcile.js";

export type ReconcileStoragesDeps = Omit<ReconcileDeps, "store" | "scope"> & {
  storages: Storages;
  /** Throws if a project uses a storage that is not in `storages`: its files would not be compared. */
  requireUsedStorages(): Promise<void>;
  /** Called with each project that is not compared, because it moves to another storage. */
  onMoving?: (projectRef: string) => void;
};

/**
 * Compares each storage with the files of its projects, one after another: see {@link reconcile}. A storage that does not answer does not
 * keep the others from being compared.
 *
 * @throws {StowageError} `not_found` for an unknown project; `unavailable` of a storage, after the others
 */
export async function* reconcileStorages(
  deps: ReconcileStoragesDeps,
  input: ReconcileInput,
): AsyncGenerator<ReconcileFinding> {
  await deps.requireUsedStorages();
  const { projectRef } = input;
  const hasSeveral = deps.storages.all.length > 1;
  const moving = hasSeveral ? await findMovingProjects(deps) : [];
  for (const ref of moving) if (projectRef === null || projectRef === ref) deps.onMoving?.(ref);
  if (projectRef !== null && moving.includes(projectRef)) return;
  const storages =
    projectRef === null
      ? deps.storages.all
      : [await deps.storages.of((await findProjectByRef(deps, projectRef)).id)];
  let failure: unknown;
  for (const storage of storages) {
    try {
      yield* reconcile({ ...deps, store: storage.store, scope: scopeOf(deps.storages, storage) }, input);
    } catch (error) {
      if (!(error instanceof StowageError) || error.code !== "unavailable") throw error;
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
}
