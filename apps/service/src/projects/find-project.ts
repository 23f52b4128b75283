import { StowageError } from "@stowage/schemas";
import { and, eq, isNull } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { projects } from "#db/schema/index.js";

/** The project that a request belongs to. The queries of every verb are limited to it. */
export interface Project {
  id: number;
  ref: string;
}

/* Prepared statements, because every request with an API key except uploads starts with one of them. */
const FIND = "select id, ref from projects where api_key_hash = $1";
/** Hashes are hexadecimal, so they contain no comma. */
const FIND_SEVERAL = `
select id, ref, api_key_hash as "apiKeyHash" from projects where api_key_hash = any(string_to_array($1, ','))`;
/** Reads every project, so it may only run now and then. */
const FIND_RECENT = `
select id, api_key_hash as "apiKeyHash" from projects where deleted_at is null
order by greatest(key_created_at, key_last_used_at) desc limit $1`;

/**
 * Finds the project of an API key. There is no cache, so a regenerated key stops working immediately.
 *
 * @throws {StowageError} `unauthorized`, `unavailable`
 */
export async function findProject(deps: { db: Queries }, apiKeyHash: string): Promise<Project> {
  const [project] = await deps.db.execute<Project>(FIND, [apiKeyHash]);
  if (!project) throw new StowageError("unauthorized");
  return project;
}

/**
 * Finds the projects of several API keys with one query.
 *
 * @returns for each key, in the same order, its project, or undefined if no project has the key
 * @throws {StowageError} `unavailable`
 */
export async function findProjectsByKeys(
  deps: { db: Queries },
  apiKeyHashes: string[],
): Promise<(Project | undefined)[]> {
  const rows = await deps.db.execute<Project & { apiKeyHash: string }>(FIND_SEVERAL, [apiKeyHashes.join()]);
  const projects = new Map(rows.map(({ apiKeyHash, id, ref }) => [apiKeyHash, { id, ref }]));
  return apiKeyHashes.map((apiKeyHash) => projects.get(apiKeyHash));
}

/**
 * Finds the keys that were created or used last.
 *
 * @throws {StowageError} `unavailable`
 */
export async function findRecentKeys(
  deps: { db: Queries },
  limit: number,
): Promise<{ id: number; apiKeyHash: string }[]> {
  return deps.db.execute<{ id: number; apiKeyHash: string }>(FIND_RECENT, [limit]);
}

/**
 * Finds a project by its ref, for operators, who have no API key.
 *
 * @throws {StowageError} `not_found`, `unavailable`
 */
export async function findProjectByRef(deps: { db: Queries }, ref: string): Promise<Project> {
  const [project] = await deps.db.run((db) =>
    db
      .select({ id: projects.id, ref: projects.ref })
      .from(projects)
      .where(and(eq(projects.ref, ref), isNull(projects.deletedAt))),
  );
  if (!project) throw new StowageError("not_found", { detail: "Project not found" });
  return project;
}

/** Whether a project has this ref, also one that was deleted and is not purged yet. @throws {StowageError} `unavailable` */
export async function hasProject(deps: { db: Queries }, ref: string): Promise<boolean> {
  const rows = await deps.db.run((db) =>
    db.select({ id: projects.id }).from(projects).where(eq(projects.ref, ref)),
  );
  return rows.length > 0;
}
