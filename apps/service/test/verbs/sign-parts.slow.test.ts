import { afterAll, beforeAll, expect, test } from "vitest";
import { signParts } from "#files/parts/sign-parts.js";
import { sweepParts } from "#files/sweep/sweep-uploads.js";
import { HOUR_MS, SECOND_MS } from "#lib/time.js";
import type { ObjectStore } from "#object-store/object-store.js";
import { aWorld, type World } from "../fixtures/a-world.js";
import { anUploadByParts, putPart, readStorage } from "../fixtures/an-upload-by-parts.js";
import { readFileRow } from "../fixtures/file-row.js";

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

test("a part that is signed again while the sweeper looks is found soon after it is sent", async () => {
  const project = await world.project();
  const { filePath } = await anUploadByParts(world, project, { parts: 1 });
  const sign = () => signParts(world.deps, project, { filePath, parts: [{ number: 1 }] });
  await sign();
  // Its URL has expired, so the sweeper expects no part for hours.
  world.advance(HOUR_MS + 6 * SECOND_MS);
  let signed: Awaited<ReturnType<typeof sign>> | undefined;
  const listParts: ObjectStore["listParts"] = async (upload, after) => {
    const page = await world.deps.store.listParts(upload, after);
    signed ??= await sign();
    return page;
  };
  await sweepParts({ ...world.deps, store: { ...world.deps.store, listParts } });
  expect(await putPart(signed!.parts[0]!.presignedUrl, new Uint8Array(3))).toBe(200);
  world.advance(16 * SECOND_MS);
  await world.sweep();
  expect(await readFileRow(world.deps, project.id, filePath)).toMatchObject({ status: "stored" });
});

test("an ID is not saved if the row has changed since it was read, and its upload is aborted", async () => {
  const project = await world.project();
  const { filePath } = await anUploadByParts(world, project);
  const ids: string[] = [];
  const createMultipart: ObjectStore["createMultipart"] = async (path, headers) => {
    ids.push(await world.deps.store.createMultipart(path, headers));
    // As if the upload had expired and was opened again: no ID, and the parts of the first one are aborted.
    if (ids.length === 1) {
      const change = `update files set revision = revision + 2 where project_id = $1 and path = $2`;
      await world.rows(change, [project.id, path]);
    }
    return ids.at(-1)!;
  };
  const deps = { ...world.deps, store: { ...world.deps.store, createMultipart } };
  await signParts(deps, project, { filePath, parts: [{ number: 1 }] });
  expect(ids).toHaveLength(2);
  expect(await readFileRow(world.deps, project.id, filePath)).toMatchObject({
    multipart: { uploadId: ids[1] },
  });
  expect(await readStorage(world, filePath)).toEqual({ object: null, uploads: 1, parts: 0 });
});
