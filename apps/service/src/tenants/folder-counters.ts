import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.js";

/** What a transaction changes about the files of one folder. */
export interface FolderChange {
  /** `tenants.id` */
  tenant: number;
  /** Empty for the root, which has no counters. */
  folder: string;
  /** How many more files count, and how many more bytes; negative for fewer. */
  files: number;
  bytes: number;
}

/**
 * Adds changes to the counters of folders and of those above them. Call it in the transaction that changes the files, after the change of
 * the tenants' counters. Without a file in a folder it sends no statement.
 */
export async function updateFolderCounters(
  tx: Transaction,
  projectId: number,
  changes: FolderChange[],
): Promise<void> {
  const inFolders = changes.filter(({ folder }) => folder !== "");
  if (inFolders.length === 0) return;
  await tx.execute(
    sql`select add_folder_usage(${projectId}::bigint, ${JSON.stringify(inFolders)}::text::json)`,
  );
}
