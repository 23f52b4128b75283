import { isDeepStrictEqual } from "node:util";
import { parse, StowageError, updateRequest } from "@stowage/schemas";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDownload } from "#deliver/create-download.js";
import { deleteFiles } from "#files/delete/delete-files.js";
import { readHistory } from "#files/list/read-history.js";
import { restoreFiles } from "#files/lifecycle/restore-files.js";
import { holdFile } from "#files/lifecycle/set-hold.js";
import { updateFile } from "#files/organise/update-file.js";
import { updateProject } from "#projects/update-project.js";
import { reportScan } from "#scans/report-scan.js";
import { fanOutProject } from "#webhooks/fan-out-events.js";
import { expireMissing } from "#reconcile/expire-missing.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";
import { histories } from "../fixtures/histories.js";

type Project = Awaited<ReturnType<World["project"]>>;

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

const settling = () => ({ ...world.deps, settling: world.deps });
const update = (project: Project, filePath: string, body: object) =>
  updateFile(settling(), project, parse(updateRequest, { file_path: filePath, ...body }));
const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    (error: unknown) => (error instanceof StowageError ? error.code : Promise.reject(error)),
  );

async function aFile(project: Project, body: object = {}): Promise<string> {
  const upload = await world.upload(project, body);
  expect(await put(upload, "12345")).toBe(200);
  await world.complete(project, upload.filePath);
  return upload.filePath;
}

async function anEndpoint({ id }: Project) {
  await world.rows(
    `insert into webhook_endpoints (project_id, ref, url, description, events, secret, created_at)
     values ($1, gen_random_uuid()::text, 'https://example.com', '', '{file.stored,file.updated}', 's', now())`,
    [id],
  );
}

async function eventsOf({ id }: Project) {
  await fanOutProject(world.deps.db, id);
  type Row = { type: string; filename: string; status: string; metadata: object };
  return world.rows<Row>(
    `select type, data ->> 'filename' as filename, data ->> 'status' as status, data -> 'metadata' as metadata
     from webhook_events where project_id = $1 order by (data ->> 'revision')::int`,
    [id],
  );
}

test("concurrent updates of one file lose no member, and the last name wins whole", async () => {
  const project = await world.project();
  const path = await aFile(project, { metadata: { first: "1" } });
  const members = Array.from({ length: 15 }, (_, n) => `m${n}`);
  await Promise.all(
    members.map((name, n) =>
      update(project, path, {
        filename: `${n}.txt`,
        metadata: { [name]: "x", ...(n === 7 && { first: null }) },
      }),
    ),
  );
  const { metadata, filename } = await update(project, path, { metadata: {} });
  expect(Object.keys(metadata).toSorted()).toEqual(members.toSorted());
  expect(members.map((_, n) => `${n}.txt`)).toContain(filename);
});

test("a member may be named like a property that every object has", async () => {
  const project = await world.project();
  const path = await aFile(project);
  const body = JSON.parse(
    `{"file_path":${JSON.stringify(path)},"metadata":{"__proto__":"a","constructor":"b"}}`,
  ) as object;
  const { metadata } = await updateFile(settling(), project, parse(updateRequest, body));
  expect(JSON.stringify(Object.entries(metadata).toSorted())).toBe('[["__proto__","a"],["constructor","b"]]');
  const gone = JSON.parse('{"metadata":{"__proto__":null}}') as object;
  expect(Object.keys((await update(project, path, gone)).metadata)).toEqual(["constructor"]);
});

test("emits file.updated with the file as it is then, also for a pending file, and nothing if nothing changes", async () => {
  const project = await world.project();
  await anEndpoint(project);
  const upload = await world.upload(project, { metadata: { a: "1" } });
  await update(project, upload.filePath, { filename: "b.txt" });
  await update(project, upload.filePath, { filename: "b.txt", metadata: { a: "1", none: null } });
  expect(await put(upload, "12345")).toBe(200);
  await update(project, upload.filePath, { metadata: { a: null } });
  expect(await eventsOf(project)).toEqual([
    { type: "file.updated", filename: "b.txt", status: "pending", metadata: { a: "1" } },
    { type: "file.stored", filename: "b.txt", status: "stored", metadata: { a: "1" } },
    { type: "file.updated", filename: "b.txt", status: "stored", metadata: {} },
  ]);
});

test("keeps the earlier names in the history, which ends with the newest one", async () => {
  const project = await world.project({ trashDays: 7 });
  const path = await aFile(project, { filename: "one.txt" });
  await update(project, path, { filename: "two.txt" });
  const [row] = await world.rows<{ id: number }>(`select id::float8 from files where path = $1`, [path]);
  const history = await readHistory(world.deps, project, { fileId: row!.id });
  expect(history.filename).toBe("two.txt");
  expect(history.events.map(({ kind, by }) => [kind, by])).toEqual([
    ["asked", "customer"],
    ["stored", "customer"],
    ["updated", "customer"],
  ]);
  expect(
    await world.rows(`select kind::text, filename from file_events where project_id = $1 order by id`, [
      project.id,
    ]),
  ).toEqual([
    { kind: "asked", filename: "one.txt" },
    { kind: "stored", filename: "one.txt" },
    { kind: "updated", filename: "two.txt" },
  ]);
});

describe("an update", () => {
  test("works for a file on hold, and its download has the new name", async () => {
    const project = await world.project();
    const filePath = await aFile(project);
    await holdFile(settling(), project, { filePath, tenantId: undefined, hold: true });
    expect(await update(project, filePath, { filename: "é.txt".normalize("NFD") })).toMatchObject({
      filename: "é.txt",
      hold: true,
    });
    const { presignedUrl } = await createDownload(settling(), project, { filePath });
    expect((await fetch(presignedUrl)).headers.get("content-disposition")).toContain(
      "filename*=UTF-8''%C3%A9.txt",
    );
  });

  test("works in quarantine, and for a file whose object is lost", async () => {
    const project = await world.project();
    await updateProject(world.deps, project.ref, { scan: "external" });
    const filePath = await aFile(project);
    const verdict = { filePath, verdict: "infected" as const, tenantId: undefined };
    await reportScan(settling(), project, verdict);
    expect(await update(project, filePath, { filename: "b.txt" })).toMatchObject({ scanStatus: "infected" });
    await world.deps.store.remove(filePath);
    expect(await expireMissing(world.deps, project.id, filePath)).toBe(true);
    expect(await update(project, filePath, { filename: "c.txt" })).toMatchObject({ status: "expired" });
  });

  test("does not find a file in the trash, which keeps its name when it is restored", async () => {
    const project = await world.project({ trashDays: 7 });
    const path = await aFile(project);
    await deleteFiles(world.deps, project, { paths: [path], tenantId: undefined, mustExist: true });
    expect(await outcomeOf(update(project, path, { filename: "b.txt" }))).toBe("file_not_found");
    const one = { paths: [path], tenantId: undefined, mustExist: true };
    expect(await restoreFiles(world.deps, project, one)).toMatchObject({ filename: "a.txt" });
  });

  test("does not change what a repeat of the upload request with its Idempotency-Key answers", async () => {
    const project = await world.project();
    const first = await world.upload(project, {}, "key");
    await update(project, first.filePath, { filename: "b.txt", metadata: { a: "1" } });
    const again = await world.upload(project, {}, "key");
    expect(again).toMatchObject({ filePath: first.filePath, headers: first.headers });
    expect(await put(again, "12345")).toBe(200);
    expect(await world.complete(project, first.filePath)).toMatchObject({
      filename: "b.txt",
      metadata: { a: "1" },
      status: "stored",
    });
  });
});

/** What the file should be after each step of a history. */
interface Model {
  filename: string;
  metadata: Record<string, string>;
  isTrashed: boolean;
}

const names = ["a.txt", "b.txt", "ß.txt"];
const members = Array.from({ length: 20 }, (_, n) => `m${n}`);
const aChange = fc.record(
  {
    filename: fc.constantFrom(...names),
    metadata: fc.dictionary(fc.constantFrom(...members), fc.option(fc.constantFrom("x", "y"), { nil: null })),
  },
  { requiredKeys: ["metadata"] },
);
const aStep = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("update" as const), change: aChange }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("delete" as const, "restore" as const) }) },
);

test("random histories of updates, deletes and restores leave the file that a model says, and one event for each change", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { maxLength: 25 }), async (steps) => {
      const project = await world.project({ trashDays: 7 });
      const path = await aFile(project);
      await anEndpoint(project);
      const model: Model = { filename: "a.txt", metadata: {}, isTrashed: false };
      let updates = 0;
      for (const step of steps) {
        if (step.do === "update") {
          const next = Object.fromEntries(
            Object.entries({ ...model.metadata, ...step.change.metadata }).filter(
              ([, value]) => value !== null,
            ),
          ) as Record<string, string>;
          const filename = step.change.filename ?? model.filename;
          const isRefused = model.isTrashed || Object.keys(next).length > 16;
          const refusal = model.isTrashed ? "file_not_found" : "invalid_request";
          expect(await outcomeOf(update(project, path, step.change))).toBe(isRefused ? refusal : "done");
          if (!isRefused) {
            if (filename !== model.filename || !isDeepStrictEqual(next, model.metadata)) updates++;
            Object.assign(model, { filename, metadata: next });
          }
        } else {
          const one = { paths: [path], tenantId: undefined, mustExist: true };
          const call = step.do === "delete" ? deleteFiles : restoreFiles;
          const isDone = model.isTrashed === (step.do === "restore");
          expect(await outcomeOf(call(world.deps, project, one))).toBe(isDone ? "done" : "file_not_found");
          if (isDone) model.isTrashed = !model.isTrashed;
        }
        const [row] = await world.rows(
          `select filename, metadata, status = 'trashed' as "isTrashed" from files where path = $1`,
          [path],
        );
        expect(row).toEqual(model);
      }
      const events = await eventsOf(project);
      expect(events.filter(({ type }) => type === "file.updated")).toHaveLength(updates);
    }),
    histories(15),
  );
});
