import type { Sql } from "postgres";
import { expect } from "vitest";
import { listMultipartPaths, listStoredObjects } from "../fixtures/direct-access.js";
import { findWrongCounters } from "./find-wrong-counters.js";
import type { Acknowledged } from "./load.js";

/** The service promises to check each upload within ten seconds, one by parts within a minute, and each deleted file within thirty. */
const PENDING_CHECK_WITHIN_MS = 10_000;
const PARTS_CHECK_WITHIN_MS = 60_000;
const DELETING_CHECK_WITHIN_MS = 30_000;

/**
 * Checks that no acknowledged change is lost, and that counters, rows and objects in storage agree.
 *
 * @param ref the project of the load
 */
export async function expectExact(sql: Sql, ref: string, acknowledged: Acknowledged): Promise<void> {
  expect(acknowledged.wrong).toEqual([]);
  await expectSettled(sql, ref, acknowledged.put.keys());
  const files = await rows<{ path: string; size: string; status: string }>(
    sql,
    `select f.path, f.size, f.status from files f join projects p on p.id = f.project_id where p.ref = $1`,
    [ref],
  );
  const byPath = new Map(files.map((file) => [file.path, file]));
  const lost = [...acknowledged.requested].filter(
    (path) => !byPath.has(path) && !acknowledged.deleteTried.has(path),
  );
  expect(lost).toEqual([]);
  for (const [path, size] of acknowledged.put) {
    const file = byPath.get(path);
    if (file) expect(file).toMatchObject({ status: "stored", size: String(size) });
  }
  expect([...acknowledged.deleted].flatMap((path) => byPath.get(path) ?? [])).toEqual([]);
  expect(await findWrongCounters(sql)).toEqual([]);
  const stored = files.filter((file) => file.status === "stored").map((file) => file.path);
  const objects = await listObjects(stored);
  expect(stored.filter((path) => !objects.has(path))).toEqual([]);
  await expectNoForgottenParts(sql, ref);
}

/** A process may be killed after it has created a multipart upload and before it has saved the ID. */
async function expectNoForgottenParts(sql: Sql, ref: string): Promise<void> {
  await rows(
    sql,
    `update files f set next_check_at = now() from projects p
     where p.id = f.project_id and p.ref = $1 and f.part_size is not null and f.status = 'stored'`,
    [ref],
  );
  const isOpen = `select f.path from files f join projects p on p.id = f.project_id
    where p.ref = $1 and f.status = 'pending' and f.part_size is not null`;
  await expect
    .poll(
      async () => {
        const open = new Set((await rows<{ path: string }>(sql, isOpen, [ref])).map(({ path }) => path));
        return (await listMultipartPaths(`projects/${ref}/`)).filter((path) => !open.has(path));
      },
      { timeout: 60_000, interval: 200 },
    )
    .toEqual([]);
}

/** Waits until every upload whose bytes arrived is recorded and every deleted file is gone. */
async function expectSettled(sql: Sql, ref: string, put: Iterable<string>): Promise<void> {
  const waiting = `from projects p where p.id = f.project_id and p.ref = $1
    and (f.status = 'deleting' or (f.status = 'pending' and f.path = any(string_to_array($2, ','))))`;
  const parameters = [ref, [...put].join(",")];
  const late = await rows(
    sql,
    `select f.path, f.status, f.next_check_at from files f, projects p
     where p.id = f.project_id and p.ref = $1
       and (f.status = 'deleting' or (f.status = 'pending' and f.path = any(string_to_array($2, ','))))
       and f.next_check_at > now() + case when f.part_size is not null then interval '${PARTS_CHECK_WITHIN_MS} ms'
                                         when f.status = 'deleting' then interval '${DELETING_CHECK_WITHIN_MS} ms'
                                         else interval '${PENDING_CHECK_WITHIN_MS} ms' end`,
    parameters,
  );
  expect(late).toEqual([]);
  // The checks are scheduled in time. The test does not wait for them. It makes them due now, which also frees the claims of a
  // killed process.
  await rows(
    sql,
    `update files f set next_check_at = now() ${waiting} and f.next_check_at > now()`,
    parameters,
  );
  await expect
    .poll(() => rows(sql, `select f.path from files f where exists (select ${waiting})`, parameters), {
      timeout: 60_000,
      interval: 200,
    })
    .toEqual([]);
}

/** Lists the objects of every tenant that has one of these files. */
async function listObjects(paths: string[]): Promise<Set<string>> {
  const objects = new Set<string>();
  const tenantPrefixes = new Set(paths.map((path) => path.split("/").slice(0, 4).join("/")));
  for (const prefix of tenantPrefixes) {
    for (const path of (await listStoredObjects(`${prefix}/`)).keys()) objects.add(path);
  }
  return objects;
}

async function rows<Row>(sql: Sql, text: string, parameters: string[]): Promise<Row[]> {
  return [...(await sql.unsafe(text, parameters))] as Row[];
}
