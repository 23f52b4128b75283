import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "#db/client.js";
import { deleteFiles } from "#files/delete/delete-files.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

test("a delete that has taken effect succeeds, although too many statements of its project are waiting", async () => {
  const project = await world.project();
  const upload = await world.upload(project, {});
  expect(await put(upload, "12345")).toBe(200);
  await world.complete(project, upload.filePath);
  const database = openDatabase({ url: world.databaseUrl, poolSize: 6, timeoutMs: 60_000 });
  const db = database.lane("work", String(project.id));
  let statements = Promise.resolve<PromiseSettledResult<unknown>[]>([]);
  const remove: World["deps"]["store"]["remove"] = async (path) => {
    await world.deps.store.remove(path);
    // One runs and 250 wait, so the others and the delete's next statement are refused.
    statements = Promise.allSettled(
      Array.from({ length: 260 }, () => db.execute("select pg_sleep(0.01)", [])),
    );
  };
  const deps = { ...world.deps, db, store: { ...world.deps.store, remove } };
  const input = { paths: [upload.filePath], mustExist: true, tenantId: undefined };

  expect(await deleteFiles(deps, project, input)).toEqual({ deleted: [upload.filePath], notFound: [] });

  expect((await statements).filter(({ status }) => status === "rejected")).toHaveLength(9);
  await database.close();
  expect(await world.tenant(project)).toEqual({ used: 0, reserved: 0, files: 0 });
  expect((await world.file(upload.filePath))!.status).toBe("deleting");
  world.advance(31_000);
  await world.sweep();
  expect(await world.file(upload.filePath)).toBeUndefined();
});
