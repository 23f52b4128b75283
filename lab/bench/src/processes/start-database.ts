import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@stowage/dev-postgres";
import type { RowTools } from "../row.js";

/** Starts an empty PostgreSQL with default durability. It is stopped and removed with the row. @returns its URL */
export async function startDatabase({ atEnd }: Pick<RowTools, "atEnd">): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "stowage-bench-"));
  atEnd(() => rm(dir, { recursive: true, force: true }));
  const postgres = await startPostgres({ dir });
  atEnd(() => postgres.stop());
  return postgres.url;
}
