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
  hasTrash: boolean;
  /** 20 bytes in a folder. */
  stored: string;
  storedRow: { id: number; etag: string };
  /** 20 bytes; an upload of 25 bytes replaces it. */
  replaced: string;
  /** Its bytes are in storage, and the service does not know it yet. */
  replacement: string;
  /** 15 bytes that nothing reserved. They are in storage, and the service does not know it yet. */
  pending: string;
  /** 200 bytes, which do not fit the quota. They are in storage, and the service does not know it yet. */
  large: string;
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
  const large = await send(await request({}), 200);
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
    hasTrash: kinds[kind].trashDays > 0,
    stored,
    storedRow: storedRow!,
    replaced,
    replacement,
    pending,
    large,
    late,
    trashed,
    isExpired: false,
  };
}
