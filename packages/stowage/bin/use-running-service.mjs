import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Lets commands manage the service that was started with this data folder, if the environment names no database and no storage.
 *
 * @param env changed: gets the settings of the running service
 * @param dataDir the data folder, unless STOWAGE_DATA_DIR names another one
 */
export function useRunningService(env, dataDir) {
  const file = join(env.STOWAGE_DATA_DIR || dataDir, "service.json");
  // All settings or none: `reconcile --repair` must never compare a database of the environment with the bucket of this folder.
  const hasOwn = Object.keys(env).some(
    (name) => /^(MIGRATION_)?DATABASE_URL$|^S3_|^STORAGES_FILE$/.test(name) && env[name],
  );
  if (!hasOwn && existsSync(file)) Object.assign(env, JSON.parse(readFileSync(file, "utf8")));
}
