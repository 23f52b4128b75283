import { deleteRequest, parse } from "@stowage/schemas";
import { inject } from "vitest";
import { deleteFiles } from "#files/delete/delete-files.js";
import { putObject } from "../fixtures/put-object.js";
import type { World } from "../fixtures/a-world.js";

/** The project of a scene: without a trash, or with one and with versions. */
export type SceneKind = keyof typeof kinds;

/** Each quota is reached by two of the verbs. */
const kinds = {
  plain: { trashDays: 0, maxVersions: 0, defaultQuotaBytes: 80 },
  trash: { trashDays: 30, maxVersions: 2, defaultQuotaBytes: 110 },
};
export const sceneKinds = Object.keys(kinds) as SceneKind[];

/** The files that the verbs meet. All belong to one tenant. */
export interface Scene {
  project: Awaited<ReturnType<World["project"]>>;
  quotaBytes: number;
  /** 20 bytes in a folder. */
  stored: string;
  storedRow: { id: number; etag: string };
  /** 20 bytes; an upload of 25 bytes replaces it. */
  replaced: string;
  /** Its bytes are in storage, and the service does not know it yet. */
  replacement: string;
  /** 15 bytes that nothing reserved. They are in storage, and the service does not know it yet. */
  pending: string;
  /** 5 bytes, which are not in storage. */
  late: string;
  /** 10 bytes, deleted: in the trash if the project has one. */
  trashed: string;
  /** Whether the time of every URL is over. */
  isExpired: boolean;
}

export async function aScene(world: World, kind: SceneKind): Promise<Scene> {
  const project = await world.project(kinds[kind]);
  // The log keeps all events for a reader that has been there before.
  await world.rows("insert into event_logs (project_id, read_at, backfill_step) values ($1, $2, 1)", [
    project.id,
    world.deps.clock().toISOString(),
  ]);
  const request = async (body: object) => (await world.upload(project, body)).filePath;
  const send = async (path: string, size: number) => {
    await putObject(inject("servers").S3_BUCKET, path, "x".repeat(size));
    return path;
  };
  const aFile = async (size: number, body: object = {}) => {
    const path = await send(await request({ size, ...body }), size);
    await world.complete(project, path);
    return path;
  };
  const [stored, replaced, trashed] = [await aFile(20, { folder: "here" }), await aFile(20), await aFile(10)];
  await deleteFiles(world.deps, project, parse(deleteRequest, { file_path: trashed }));
  const late = await request({ size: 5 });
  const pending = await send(await request({ folder: "elsewhere" }), 15);
  const replacement = await send(await request({ size: 25, replaces: replaced }), 25);
  const [storedRow] = await world.rows<{ id: number; etag: string }>(
    "select id, etag from files where path = $1",
    [stored],
  );
  const quotaBytes = kinds[kind].defaultQuotaBytes;
  return {
    project,
    quotaBytes,
    stored,
    storedRow: storedRow!,
    replaced,
    replacement,
    pending,
    late,
    trashed,
    isExpired: false,
  };
}

/**
 * Remembers the rows and objects of a scene, so that many schedules start from the same state.
 *
 * @returns a function that puts the scene back into this state
 */
export async function rememberScene(
  world: World,
  { project: { id, ref } }: Scene,
): Promise<() => Promise<void>> {
  const prefix = `projects/${ref}/`;
  const tables = await world.rows<{ name: string; columns: string }>(
    `select table_name as name, string_agg(column_name, ', ') as columns from information_schema.columns
     where table_schema = 'public' and is_generated = 'NEVER'
     group by table_name having bool_or(column_name = 'project_id') or table_name = 'projects'`,
  );
  const keyOf = (name: string) => (name === "projects" ? "id" : "project_id");
  await world.rows(`create schema scene_${id}`);
  for (const { name } of tables)
    await world.rows(
      `create table scene_${id}.${name} as select * from ${name} where ${keyOf(name)} = ${id}`,
    );
  const resets = tables.map(
    ({ name, columns }) => `delete from ${name} where ${keyOf(name)} = ${id};
      insert into ${name} (${columns}) overriding system value select ${columns} from scene_${id}.${name};`,
  );
  const { store } = world.deps;
  const objects = (await store.list(prefix, null)).objects;
  return async () => {
    // Foreign keys are right again at the end.
    await world.rows(`do $$ begin set local session_replication_role = replica; ${resets.join(" ")} end $$`);
    const found = new Map((await store.list(prefix, null)).objects.map(({ path, etag }) => [path, etag]));
    for (const { path, sizeBytes, etag } of objects) {
      if (found.get(path) !== etag) await store.write(path, Buffer.from("x".repeat(sizeBytes)), "text/plain");
      found.delete(path);
    }
    for (const path of found.keys()) await store.remove(path);
    for (const { path } of (await store.published!.list(prefix, null)).objects)
      await store.published!.remove(path);
  };
}
