import { endFiles } from "#files/lifecycle/end-files.js";
import { sweepParts, sweepUploads } from "#files/sweep/sweep-uploads.js";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#lib/time.js";
import { continueTenantDeletions } from "#purge/delete-tenant.js";
import type { World } from "../fixtures/a-world.js";

/** After this time every check of a file or tombstone was due once, and no URL and no lease is valid any more. */
export const ROUND_MS = [
  61 * SECOND_MS,
  HOUR_MS,
  DAY_MS,
  10 * SECOND_MS,
  11 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
  DAY_MS,
  HOUR_MS,
];

/** A file may be released, go to the trash, leave it after a day, and leave a tombstone for another day. */
export const MAX_ROUNDS = 3;

/** Does one batch of each of the service's jobs that change files. */
export async function sweepOnce(deps: World["deps"]): Promise<void> {
  await sweepUploads(deps);
  await sweepParts(deps);
  await endFiles(deps);
  await continueTenantDeletions(deps, { afterProject: 0 });
}

/** Does everything that is due. */
export async function sweepAll(world: World): Promise<void> {
  while (await endFiles(world.deps)) continue;
  await world.sweep();
  while (await continueTenantDeletions(world.deps, { afterProject: 0 })) continue;
}
