import { startPostgres } from "@stowage/dev-postgres";
import { subfolder } from "./data-dir.js";
import type { Parts } from "./parts.js";

/**
 * PostgreSQL over the data folder, made on the first start.
 *
 * @returns its URL, with its password
 */
export async function startDatabase(
  dataDir: string,
  parts: Parts,
  signal: AbortSignal | undefined,
): Promise<string> {
  const dir = await subfolder(dataDir, "postgres");
  const postgres = await startPostgres({ dir, ...(signal ? { signal } : {}) });
  parts.add("PostgreSQL", postgres);
  return postgres.url;
}
