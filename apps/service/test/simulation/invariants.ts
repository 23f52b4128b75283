import { endFiles } from "#files/lifecycle/end-files.js";
import { DAY_MS } from "#lib/time.js";
import { moveFiles } from "#visibility/move-file.js";
import type { World } from "../fixtures/a-world.js";
import type { Scene } from "./a-scene.js";

/** What must be true in every state that others can see. @returns what is not */
export async function findViolations(world: World, { project, quotaBytes }: Scene): Promise<string[]> {
  const [tenant] = await world.rows<Record<string, number>>(COUNTERS, [project.id]);
  if (!tenant) return [];
  const equal = (name: string, of: string) =>
    tenant[name] === tenant[of] ? [] : [`${name} is ${tenant[name]} and ${of} ${tenant[of]}`];
  const taken = tenant["used"]! + tenant["reserved"]!;
  return [
    ...equal("used", "storedBytes"),
    ...equal("files", "storedFiles"),
    ...equal("days", "storedBytes"),
    ...equal("reserved", "reservedOfFiles"),
    ...equal("folderFiles", "storedInFolders"),
    ...equal("folderBytes", "bytesInFolders"),
    ...(taken > quotaBytes ? [`the quota is passed: ${taken}`] : []),
    ...(tenant["reserved"]! < 0 ? ["a negative reservation"] : []),
    ...(tenant["once"]! > 1 ? ["a repeated request has opened two uploads"] : []),
    ...(tenant["held"]! > 0 ? ["a file on hold is deleted"] : []),
    // The files of a tenant that is being deleted have no events.
    ...(tenant["isLeaving"] ? [] : await findBadEvents(world, project.id)),
  ];
}

/** A replacement has lent bytes of the file that it replaces: they do not count twice. */
const COUNTERS = `
select t.used_bytes as used, t.reserved_bytes as reserved, t.file_count as files,
  t.next_purge_at is not null as "isLeaving", count(*) filter (where f.held and f.status = 'deleting') as held,
  count(*) filter (where f.filename = 'once.txt') as once,
  count(*) filter (where f.folder <> '' and f.status in ('stored', 'trashed')) as "storedInFolders",
  coalesce(sum(f.size) filter (where f.folder <> '' and f.status in ('stored', 'trashed')), 0)::bigint as "bytesInFolders",
  (select coalesce(sum(d.file_count), 0)::int from folders d where d.project_id = t.project_id) as "folderFiles",
  (select coalesce(sum(d.used_bytes), 0)::bigint from folders d where d.project_id = t.project_id) as "folderBytes",
  coalesce(sum(f.size) filter (where f.status in ('stored', 'trashed')), 0)::bigint as "storedBytes",
  count(*) filter (where f.status in ('stored', 'trashed')) as "storedFiles",
  (coalesce(sum(f.reserved_bytes), 0) - (select coalesce(sum(r.credit_bytes), 0) from replacements r where r.project_id = t.project_id))::bigint
    as "reservedOfFiles",
  (select coalesce(sum(uploaded_bytes - deleted_bytes), 0)::bigint from usage_daily u where u.project_id = t.project_id) as days
from tenants t left join files f on f.project_id = t.project_id and f.tenant = t.id
where t.project_id = $1 group by t.project_id, t.id`;

/**
 * The events of each file in the order of its revisions tell its life: what is stored was announced last as stored or restored, and what
 * is gone as deleted or expired.
 */
async function findBadEvents(world: World, projectId: number): Promise<string[]> {
  const rows = await world.rows<{ path: string; status: string | null; types: string }>(LIVES, [projectId]);
  const bad: string[] = [];
  for (const { path, status, types } of rows) {
    const lives = types
      .split(" ")
      .filter((type) => type in ALIVE)
      .map((type) => ALIVE[type as keyof typeof ALIVE]);
    const isAlive = lives.at(-1) ?? false;
    const shouldBe = status === "stored";
    if (isAlive !== shouldBe)
      bad.push(`${path.slice(-8)} is ${status ?? "gone"} and its events are ${types}`);
    // A PUT that changes the bytes would be announced again, and no schedule has one.
    if (lives.some((life, index) => index > 0 && life === lives[index - 1]))
      bad.push(`${path.slice(-8)} has an event twice: ${types}`);
  }
  return bad;
}

const ALIVE = { "file.stored": true, "file.restored": true, "file.deleted": false };

const LIVES = `
with events as (
  select r ->> 'path' as path, string_agg(o.type, ' ' order by (r ->> 'revision')::int, o.position) as types
  from webhook_outbox o, json_array_elements(o.rows::json) r where o.project_id = $1 and o.type like 'file.%' group by 1)
select path, f.status, coalesce(e.types, '') as types
from (select path, status::text from files where project_id = $1) f full join events e using (path)`;

/** What must be true when all calls have ended and every job has done its work. @returns what is not */
export async function findFinalViolations(world: World, scene: Scene): Promise<string[]> {
  const { project } = scene;
  // Until no URL can write any more, and nothing is due.
  for (const days of [2, 2, 40, 60]) {
    world.advance(days * DAY_MS);
    await endFiles(world.deps);
    await world.sweep();
    await moveFiles(world.deps, { afterProject: 0 });
  }
  const violations = await findViolations(world, scene);
  const [inPrivate, inPublic] = [
    await compareWithStorage(world, project, "private"),
    await compareWithStorage(world, project, "public"),
  ];
  const errors = world.failures.splice(0).map((error) => `a sweep failed: ${String(error)}`);
  return [...violations, ...inPrivate, ...inPublic, ...errors];
}

/** Each bucket has exactly the objects of the files that are there. */
async function compareWithStorage(
  world: World,
  { id, ref }: Scene["project"],
  place: "private" | "public",
): Promise<string[]> {
  const files = await world.rows<{ path: string; size: number; mayBePublic: boolean }>(
    `select path, size, visibility = 'public' and status = 'stored' and scan_status <> 'infected' as "mayBePublic"
     from files where project_id = $1 and status in ('stored', 'trashed') and place = $2`,
    [id, place],
  );
  const bucket = place === "private" ? world.deps.store : world.deps.store.published!;
  const { objects } = await bucket.list(`projects/${ref}/`, null);
  const sizes = new Map(objects.map(({ path, sizeBytes }) => [path, sizeBytes]));
  const known = new Set(files.map(({ path }) => path));
  return [
    ...files
      .filter(({ path, size }) => sizes.get(path) !== size)
      .map(({ path }) => `the ${place} ${path} is lost`),
    ...[...sizes.keys()].filter((path) => !known.has(path)).map((path) => `the ${place} ${path} is left`),
    ...files
      .filter(({ mayBePublic }) => place === "public" && !mayBePublic)
      .map(({ path }) => `${path} is public`),
  ];
}
