import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { File } from "@stowage/schemas";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandLineActor } from "#audit/caller.js";
import { composeMoveCommand } from "#compose-cli.js";
import { readConfig } from "#config.js";
import { findProjectByRef } from "#projects/find-project.js";
import { type MoveProgress, moveProject, type RunTimes } from "#relocate/move-project.js";
import { anOperator } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { anOpenUpload, call } from "../fixtures/call.js";
import { PART_BYTES, sendParts, signParts } from "../fixtures/send-parts.js";
import { twoStorages } from "../fixtures/two-storages.js";

/* A project moves to storage that takes fewer parts: `us` takes two. */

const times: RunTimes = {
  refreshMs: 200,
  maxAgeMs: 1000,
  longestCallMs: 2000,
  leaseMs: 2000,
  skewMs: 0,
  pollMs: 200,
};

let installation: Awaited<ReturnType<typeof twoStorages>>;
let settings: Record<string, string>;
let replica: RunningService;
/** It has not read of a move for longer than one needs to begin. */
let late: RunningService;
let project: { ref: string; apiKey: string };
beforeAll(async () => {
  installation = await twoStorages();
  const { content, dir } = installation;
  const STORAGES_FILE = join(dir, "few-parts.json");
  await writeFile(STORAGES_FILE, JSON.stringify({ ...content, us: { ...content.us, max_parts: 2 } }));
  settings = { ...installation.settings, STORAGES_FILE };
  replica = await aService(settings, { moveTimes: times });
  late = await aService(settings, { moveTimes: { ...times, refreshMs: 300_000, maxAgeMs: 300_000 } });
  const owner = await anOperator(replica.url, { databaseUrl: installation.databaseUrl, isAdmin: true });
  const input = { name: "test", trashDays: 0, storage: "eu" };
  project = (await owner.mutate<typeof project>("projects.create", input)).data;
});
afterAll(async () => {
  await replica.close();
  await late.close();
  await installation.close();
});

const size = 2 * PART_BYTES + 1;
/** An upload of three parts, unless the service chooses them. */
const open = (input: object = { part_size: PART_BYTES }, { url } = replica) =>
  anOpenUpload(url, project.apiKey, { tenant_id: "t", filename: "a.bin", size, ...input });
const sign = (file_path: string, { url } = replica) =>
  signParts<{ detail?: string }>(url, project.apiKey, { file_path, parts: [1] });
const post = (action: string, body: object) =>
  call<File>(`${replica.url}/api/storage/${action}/`, { key: project.apiKey, body });
const remove = (path: string) => post("delete", { file_paths: [path] });

/** @param until the step before which the command is stopped */
async function move(until?: MoveProgress["step"]) {
  const { deps, close } = composeMoveCommand(readConfig(settings), times);
  try {
    const actor = { ...commandLineActor, project: await findProjectByRef(deps, project.ref) };
    const input = { to: "us", changesPublicUrls: false, waits: false };
    return await moveProject(deps, actor, input, ({ step }) => {
      if (step === until) throw new Error(`stopped before ${step}`);
    });
  } finally {
    await close();
  }
}

const refusalOf = (path: string) => ({
  code: "invalid_request",
  message: `${path} has 3 parts, and the storage us takes 2. Upload it again by larger parts and delete it, or cancel its upload`,
});

test("a project moves only to storage that takes the parts of its files and of its uploads", async () => {
  const { file_path: waiting } = await open();
  const { file_path: unknown } = await open(undefined, late);
  const { file_path: begun } = await open();
  await sendParts(replica.url, project.apiKey, begun, { numbers: [1] });
  await expect(move()).rejects.toMatchObject(refusalOf(begun));
  await sendParts(replica.url, project.apiKey, begun, { numbers: [2, 3] });
  expect((await post("complete", { file_path: begun })).body.etag).toMatch(/-3$/);
  await expect(move()).rejects.toMatchObject(refusalOf(begun));
  await remove(begun);

  await expect(move("preparing")).rejects.toThrow("stopped before preparing");
  // An upload that begins before the replica knows of the move would stay where it is.
  await expect.poll(async () => (await open({})).part_count).toBe(2);
  expect((await sign(waiting)).body.detail).toBe(
    "the upload has 3 parts, and storage takes 2: cancel it and open a new one",
  );
  expect((await sign(unknown, late)).status).toBe(200);
  await expect(move()).rejects.toMatchObject(refusalOf(unknown));
  await remove(unknown);

  expect(await move()).toMatchObject({ state: "settling", to: "us" });
  expect((await sign(waiting)).status).toBe(400);
}, 120_000);
