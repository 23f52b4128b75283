import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import postgres from "postgres";
import { inject } from "vitest";
import { operatorClient } from "../fixtures/operator-client.js";

/** Everything that is stored about one project: its rows of all tables, the accounts of its members, and its objects. */
export interface ProjectState {
  rows: [table: string, row: unknown][];
  objects: [path: string, etag: string][];
}

/** Columns that the service changes by itself: the next check of a file, and the last use of a key. */
const CHANGING = `'{next_check_at,key_last_used_at}'::text[]`;

/** Columns of a session that its own use renews: a member of the project makes some of the calls. */
const RENEWED = `'{expires_at,updated_at}'::text[]`;

export interface StateReader {
  /** Reads the state of a project directly from PostgreSQL and storage. A new table with a `project_id` is read too. */
  read(projectRef: string): Promise<ProjectState>;
  close(): Promise<void>;
}

export async function aStateReader(): Promise<StateReader> {
  const sql = postgres(inject("servers").DATABASE_URL, { max: 1, onnotice: () => undefined });
  const storage = operatorClient();
  const ofProject = (await findTables(sql)).map(
    (name) =>
      [
        name,
        `select to_jsonb(t) - ${CHANGING} as row from "${name}" t where t.project_id = $1 order by 1`,
      ] as const,
  );
  const ofMembers = ["operator_sessions", "operator_accounts"].map(
    (name) =>
      [
        name,
        `select to_jsonb(t) - ${RENEWED} as row from "${name}" t
         where t.operator_id in (select operator_id from project_members where project_id = $1) order by 1`,
      ] as const,
  );
  return {
    async read(projectRef) {
      const [project] = await sql<{ id: string; row: unknown }[]>`
        select id, to_jsonb(p) - ${sql.unsafe(CHANGING)} as row from projects p where ref = ${projectRef}`;
      const rows: ProjectState["rows"] = [["projects", project!.row]];
      // One table in each statement, because Citus keeps them on different nodes.
      for (const [name, statement] of [...ofMembers, ...ofProject]) {
        const found = await sql.unsafe<{ row: unknown }[]>(statement, [project!.id], { prepare: true });
        rows.push(...found.map(({ row }): [string, unknown] => [name, row]));
      }
      const listed = await storage.send(
        new ListObjectsV2Command({ Bucket: inject("servers").S3_BUCKET, Prefix: `projects/${projectRef}/` }),
      );
      return {
        rows,
        objects: (listed.Contents ?? []).map(({ Key, ETag }) => [Key!, ETag!]),
      };
    },
    async close() {
      storage.destroy();
      await sql.end();
    },
  };
}

async function findTables(sql: postgres.Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'project_id' order by 1`;
  return rows.map(({ name }) => name);
}

/** Shorter texts are words such as `stored`, which appear in every project. */
const MIN_SECRET_LENGTH = 8;

/** Returns the texts that are stored about one project and not about another one: names, references, addresses, hashes. */
export function secretsOf(state: ProjectState, other: ProjectState): string[] {
  const known = new Set(textsIn(other));
  return [...new Set(textsIn(state))].filter((text) => text.length >= MIN_SECRET_LENGTH && !known.has(text));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
