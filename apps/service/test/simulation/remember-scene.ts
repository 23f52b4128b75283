import type { Sql } from "postgres";
import type { World } from "../fixtures/a-world.js";
import type { Scene } from "./a-scene.js";

/** The rows of each table, and the ETag of each object, of one project. */
export type State = Map<string, string>;

/** The rows and objects of a scene, so that many schedules start from the same state. */
export interface RememberedScene {
  /** Equal states go on in the same way, if nothing else happens. */
  read(): Promise<State>;
  /** Puts the scene back into the state that it had. @param now its state, if known */
  reset(now?: State): Promise<void>;
  /** Removes its rows, so that no job of another scene works on them. */
  leave(): Promise<void>;
}

/** Columns of the real time, and of random numbers of PostgreSQL. */
const OF_CHANCE = ["webhook_outbox.position", "webhook_outbox.id", "file_tasks.claim"];

const PLAIN_TEXT = { contentType: "text/plain", contentDisposition: "inline", cacheControl: undefined };

export async function rememberScene(
  world: World,
  sql: Sql,
  { project: { id, ref } }: Scene,
): Promise<RememberedScene> {
  const tables = await sql<{ name: string; columns: string; compared: string }[]>`
    select table_name as name, string_agg(column_name, ', ') as columns,
      string_agg(column_name, ', ') filter (where table_name || '.' || column_name <> all (${OF_CHANCE})) as compared
    from information_schema.columns
    where table_schema = 'public' and is_generated = 'NEVER'
    group by table_name having bool_or(column_name = 'project_id') or table_name = 'projects'`;
  const ofProject = (table: string) => `${table === "projects" ? "id" : "project_id"} = ${id}`;
  const readRows = tables
    .map(
      ({ name, compared }) =>
        `select '${name}' as name, (select string_agg(t::text, E'\\n' order by t::text)
         from (select ${compared} from ${name} where ${ofProject(name)}) t) as rows`,
    )
    .join(" union all ");
  const { store } = world.deps;
  const buckets = { private: store, public: store.published! };

  async function readObjects(place: keyof typeof buckets): Promise<[string, string][]> {
    const { objects } = await buckets[place].list(`projects/${ref}/`, null);
    return objects.map(({ path, etag }) => [`${place} ${path}`, etag]);
  }
  async function read(): Promise<State> {
    const [rows, ...objects] = await Promise.all([
      sql.unsafe<{ name: string; rows: string | null }[]>(readRows, [], { prepare: true }),
      readObjects("private"),
      readObjects("public"),
    ]);
    return new Map([...rows.map(({ name, rows }) => [name, rows ?? ""] as const), ...objects.flat()]);
  }

  await sql.unsafe(`create schema scene_${id}`);
  for (const { name } of tables)
    await sql.unsafe(`create table scene_${id}.${name} as select * from ${name} where ${ofProject(name)}`);
  // The same ids again, so that equal schedules end in equal states.
  const sequences = await sql<{ statement: string }[]>`
    select format('perform setval(%L, %s);', schemaname || '.' || sequencename, coalesce(last_value, start_value)) as statement
    from pg_sequences where schemaname = 'public'`;
  const sizes = new Map<string, number>();
  for (const bucket of Object.values(buckets))
    for (const { path, sizeBytes } of (await bucket.list(`projects/${ref}/`, null)).objects)
      sizes.set(path, sizeBytes);
  const before = await read();

  /** Foreign keys are right again at the end. */
  const change = (statements: string[]) =>
    sql.unsafe(`do $$ begin set local session_replication_role = replica; ${statements.join(" ")} end $$`);
  const emptied = (name: string) => `delete from ${name} where ${ofProject(name)};`;
  return {
    read,
    async reset(now) {
      now ??= await read();
      const changed = new Set(
        [...now.keys(), ...before.keys()].filter((key) => now.get(key) !== before.get(key)),
      );
      const resets = tables
        .filter(({ name }) => changed.has(name))
        .map(
          ({ name, columns }) => `${emptied(name)}
            insert into ${name} (${columns}) overriding system value select ${columns} from scene_${id}.${name};`,
        );
      await change([...resets, ...sequences.map(({ statement }) => statement)]);
      const write = (path: string) =>
        store.write(path, Buffer.from("x".repeat(sizes.get(path)!)), "text/plain");
      for (const key of [...changed].toSorted().toReversed()) {
        const [place, path] = key.split(" ");
        // The public objects come first: each is a copy of a private one.
        if (path === undefined) continue;
        const isPublic = place === "public";
        if (!before.has(key)) await buckets[isPublic ? "public" : "private"].remove(path);
        else await write(path);
        if (!isPublic || !before.has(key)) continue;
        await buckets.public.publish({ path, etag: before.get(key)! }, PLAIN_TEXT);
        if (!before.has(`private ${path}`)) await store.remove(path);
      }
    },
    leave: async () => void (await change(tables.map(({ name }) => emptied(name)))),
  };
}
