import { StowageError } from "@stowage/schemas";
import { type Database, inTransaction } from "#db/client.js";
import { COUNTED } from "#db/schema/file-statuses.js";
import { findOtherVersion } from "#health/replica.js";
import type { Project } from "#projects/find-project.js";
import { lockProject } from "#projects/lock-project.js";
import type { Storage } from "#projects/storages.js";
import { prefixOf } from "./copy-objects.js";
import { insertMove, readMove } from "./move-record.js";

export interface BeginMoveDeps {
  db: Database;
  clock: () => Date;
  /** Of this command. */
  version: string;
  /** The storages as they are, without the calls that go elsewhere while a project moves. The default first. */
  ownStorages: readonly Storage[];
}

export interface MoveInput {
  /** The name of the new storage. Null: the move that has begun is to be taken back. */
  to: string | null;
  /** Whether the public files may get other permanent URLs. */
  changesPublicUrls: boolean;
  /** Whether to wait for the end of the URLs of the old storage. */
  waits: boolean;
}

export const refuse = (detail: string) => new StowageError("invalid_request", { detail });

/**
 * Checks what is asked for, and begins a move if there is none.
 *
 * @throws {StowageError} `invalid_request` with a sentence that says why the project cannot be moved; `not_found`; `unavailable`
 */
export async function beginMove(deps: BeginMoveDeps, project: Project, input: MoveInput): Promise<void> {
  const [main] = deps.ownStorages;
  if (main!.name === null) throw refuse("This installation has one storage: STORAGES_FILE is not set");
  const current = await readStorage(deps, project);
  const move = await readMove(deps.db, project);
  const { to } = input;
  if (to === null) {
    if (!move) throw refuse("The project does not move");
    if (move.state === "settling")
      throw refuse(
        `The project has moved to ${move.to}. Delete its old copies first, by --to ${move.to} when the URLs of ${move.from} have ended; then move it back`,
      );
    return;
  }
  const target = storageOf(deps, to);
  if (move) {
    if (move.to === to) return;
    throw refuse(
      move.state === "settling"
        ? `The project has moved to ${move.to}, and ${move.from} still has its old copies. Repeat --to ${move.to} when its URLs have ended; then move the project again`
        : `The project is moving from ${move.from} to ${move.to}. Repeat --to ${move.to}, or take it back with --cancel`,
    );
  }
  if (current === to) throw refuse(`The project is in the storage ${to}`);
  await requireOneVersion(deps);
  const source = storageOf(deps, current);
  for (const { name, store } of [source, target])
    if (store.encryptionHeaders["x-amz-server-side-encryption"] === "aws:kms")
      throw refuse(`The storage ${name} encrypts with aws:kms, so the ETags of the files would change`);
  await checkPublicFiles(deps, project, source, target, input.changesPublicUrls);
  await checkParts(deps, project, target);
  for (const bucket of [target.store, target.store.published])
    if (bucket && (await bucket.list(prefixOf(project), null)).objects.length > 0)
      throw refuse(`The storage ${to} has objects under ${prefixOf(project)}. Remove them first`);
  await inTransaction(deps.db, async (db, tx) => {
    const { storage } = await lockProject(tx, project);
    if ((storage ?? main!.name) !== current) throw refuse("The storage of the project has just changed");
    await insertMove(db, project, { from: current, to });
  });
}

/**
 * An older replica may not know of moves, and would write to the old storage.
 *
 * @throws {StowageError} `invalid_request` if a replica runs another version than this command
 */
export async function requireOneVersion({
  db,
  clock,
  version,
}: Pick<BeginMoveDeps, "db" | "clock" | "version">): Promise<void> {
  const other = await findOtherVersion(db, version, clock());
  if (other)
    throw refuse(
      `A replica on ${other.host} runs version ${other.version}, and this command ${version}. A move begins when all run the same version`,
    );
}

/** @throws {StowageError} `invalid_request` if there is none of this name */
export function storageOf({ ownStorages }: Pick<BeginMoveDeps, "ownStorages">, name: string): Storage {
  const storage = ownStorages.find((one) => one.name === name);
  if (storage) return storage;
  throw refuse(`There is no storage ${name}. There are ${ownStorages.map((one) => one.name).join(", ")}`);
}

/** @throws {StowageError} `invalid_request` if the public files cannot move, or would get other URLs and must not */
export async function checkPublicFiles(
  { db }: Pick<BeginMoveDeps, "db">,
  { id }: Project,
  source: Storage,
  target: Storage,
  mayChange: boolean,
): Promise<void> {
  const rows = await db.execute(HAS_PUBLIC_FILES, [id]);
  if (rows.length === 0) return;
  if (!target.store.published)
    throw refuse(`The project has public files, and the storage ${target.name} has no public bucket`);
  if (mayChange) return;
  const base = ({ store }: Storage) => store.published?.urlOf("") ?? "none";
  throw refuse(
    `The public files of the project get other permanent URLs: ${base(target)}… instead of ${base(source)}… Accept that with --change-public-urls`,
  );
}

const HAS_PUBLIC_FILES = `
select id from files where project_id = $1::bigint and status <> 'deleting' and (visibility = 'public' or place = 'public') limit 1`;

/** A copy has the parts of its object. @throws {StowageError} `invalid_request` if the new storage does not take that many */
export async function checkParts(
  { db }: Pick<BeginMoveDeps, "db">,
  { id }: Project,
  { name, store: { maxParts } }: Storage,
): Promise<void> {
  const [row] = await db.execute<{ path: string; parts: number }>(FIND_MANY_PARTS, [id, maxParts]);
  if (!row) return;
  throw refuse(
    `${row.path} has ${row.parts} parts, and the storage ${name} takes ${maxParts}. Upload it again by larger parts and delete it, or cancel its upload`,
  );
}

/* The ETag says how many parts an object has. An upload that has begun becomes an object of its parts. */
const FIND_MANY_PARTS = `
select path, parts from (
  select path, case
    when status in ${COUNTED} then substring(coalesce(published_etag, etag) from '-(\\d{1,5})$')::int
    when status = 'pending' and multipart ->> 'uploadId' is not null then ceil(declared_size::numeric / part_size)::int end as parts
  from files where project_id = $1::bigint) counted
where parts > $2::int limit 1`;

/** Returns the name of the storage that the project belongs to. */
export async function readStorage(
  { db, ownStorages }: Pick<BeginMoveDeps, "db" | "ownStorages">,
  { id }: Project,
): Promise<string> {
  const [row] = await db.execute<{ storage: string | null }>(
    "select storage from projects where id = $1::bigint",
    [id],
  );
  return row?.storage ?? ownStorages[0]!.name!;
}
