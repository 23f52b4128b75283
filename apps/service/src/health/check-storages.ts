import { setTimeout as sleep } from "node:timers/promises";
import { errorCatalogue, StowageError } from "@stowage/schemas";
import { SECOND_MS } from "#lib/time.js";
import type { Storage } from "#projects/storages.js";

export type CheckedStorages = readonly (Pick<Storage, "name"> & { store: Pick<Storage["store"], "check"> })[];

export interface StorageProblem {
  /** Of the storage. Null: the only one. */
  name: string | null;
  /** In words. */
  problem: string;
  cause: unknown;
}

/** How long the others are waited for after one storage has answered. A load balancer gives up a slow check. */
const GRACE_MS = SECOND_MS;

/** Asks each storage whether it answers. Returns those that do not. */
export async function findStorageProblems(storages: CheckedStorages): Promise<StorageProblem[]> {
  const checks = storages.map(({ store }) =>
    store.check().then(
      () => null,
      (cause: unknown) => ({ problem: describeStorageError(cause), cause }),
    ),
  );
  const isLate = storages.length > 1 ? afterFirstAnswer(checks) : undefined;
  const results = await Promise.all(
    storages.map(async ({ name }, index) => {
      const check = checks[index]!;
      const result = await (isLate ? Promise.race([check, isLate]) : check);
      return result && { name, ...result };
    }),
  );
  return results.filter((result) => result !== null);
}

const SILENT = { problem: "storage does not answer", cause: new Error("the other storages have answered") };

async function afterFirstAnswer(checks: Promise<object | null>[]): Promise<typeof SILENT> {
  const answers = checks.map(async (check) => {
    if (await check) throw new Error("this storage does not answer");
  });
  await Promise.any(answers).then(
    () => sleep(GRACE_MS, undefined, { ref: false }),
    () => undefined,
  );
  return SILENT;
}

/** The store throws a StowageError with its own message if it knows the reason, such as a missing bucket. */
function describeStorageError(reason: unknown): string {
  const hasOwnMessage =
    reason instanceof StowageError && reason.message !== errorCatalogue.unavailable.detail;
  return hasOwnMessage ? reason.message : SILENT.problem;
}

/** Names the storage if there are several. */
export const sentenceOf = ({ name, problem }: StorageProblem): string =>
  name === null ? problem : `${name}: ${problem}`;
