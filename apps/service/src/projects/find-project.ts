import { StowageError } from "@stowage/schemas";
import type { Queries } from "#db/client.js";

/** The project that a key opened: what every verb's queries are confined to. */
export interface Project {
  id: number;
  ref: string;
}

/** In text, and so prepared: all but an upload begin with it. */
const FIND = "select id, ref from projects where api_key_hash = $1";

/**
 * The project of an API key. Asked of the database each time: no cache may outlive a regenerated key.
 *
 * @throws {StowageError} `unauthorized`, `unavailable`
 */
export async function findProject(deps: { db: Queries }, apiKeyHash: string): Promise<Project> {
  const [project] = await deps.db.execute<Project>(FIND, [apiKeyHash]);
  if (!project) throw new StowageError("unauthorized");
  return project;
}
