import { StowageError } from "@stowage/schemas";
import { LruMap } from "toad-cache";
import type { Database, Queries } from "#db/client.js";
import { routeByPath } from "#object-store/moving-store.js";
import type { ObjectStore, StorageAddress } from "#object-store/object-store.js";
import {
  createMovingProjects,
  moveAt,
  type MoveTimes,
  type MovingProject,
  unknownStorage,
} from "./moving-projects.js";

/** One storage of the installation. A project belongs to one, and so do all objects of its files. */
export interface Storage {
  /** As in STORAGES_FILE. Null: the only storage of an installation without that file. */
  name: string | null;
  store: ObjectStore;
  address: StorageAddress;
  /** While a project moves: the address of its other storage. */
  otherAddress?: StorageAddress;
}

export interface Storages {
  /** The default first. */
  all: readonly Storage[];
  /**
   * Returns the storage of a project; the default for a project that is gone.
   *
   * @throws {StowageError} `unavailable`, also for a storage that this process has no settings of
   */
  of(projectId: number): Promise<Storage>;
}

/** The projects that a job works for: those of one storage. Undefined in dependencies: all projects. */
export interface StorageScope {
  owns(projectId: number): Promise<boolean>;
  /** A condition in SQL. @param column with the id of a project */
  condition(column: string): string;
}

/** About ten megabytes. */
const MAX_KNOWN_PROJECTS = 100_000;

/**
 * Remembers the storages of projects. Only the end of a move changes one. The calls for a project that moves go to both of its storages:
 * see {@link storeOfMove}.
 *
 * @param times @default those of production
 */
export function createStorages(db: Database, own: readonly Storage[], times?: MoveTimes): Storages {
  const [only] = own;
  if (!only) throw new Error("an installation has at least one storage");
  if (only.name === null) return { all: own, of: async () => only };
  const ownByName = new Map(own.map((storage) => [storage.name, storage]));
  const known = new LruMap<Storage>(MAX_KNOWN_PROJECTS);
  const forget = (projectIds: Iterable<number> | null) => {
    if (projectIds === null) known.clear();
    else for (const id of projectIds) known.delete(id);
  };
  const moving = createMovingProjects(
    db,
    (name) => (name === null ? only : ownByName.get(name))?.store,
    forget,
    times,
  );
  const storeAt = async (path: string) => moveAt(await moving.current(), path)?.store() ?? null;
  const all = own.map((storage) => ({ ...storage, store: routeByPath(storage.store, storeAt) }));
  const main = all[0]!;
  const byName = new Map(all.map((storage) => [storage.name, storage]));
  const find = (name: string | null) => {
    const storage = name === null ? main : byName.get(name);
    if (!storage) throw unknownStorage(name);
    return storage;
  };
  return {
    all,
    async of(projectId) {
      const move = (await moving.current()).byId.get(projectId);
      if (move) return storageOfMove(move, find);
      const found = known.get(projectId);
      if (found) return found;
      const [project] = await db
        .lane("read", String(projectId))
        .execute<{ storage: string | null }>(FIND, [projectId]);
      if (!project) return main;
      const storage = find(project.storage);
      known.set(projectId, storage);
      return storage;
    },
  };
}

/** Its store acts as the table says at each call, except that the URL of a new upload and the headers that belong to it are of one storage. */
function storageOfMove(move: MovingProject, find: (name: string | null) => Storage): Storage {
  const storage = find(move.home);
  const other = find(storage.name === move.from ? move.to : move.from);
  const { uploadUrlsEnd, downloadUrlsEnd, presignPut, encryptionHeaders, maxParts, published } = move.store();
  const store: ObjectStore = {
    ...storage.store,
    uploadUrlsEnd,
    downloadUrlsEnd,
    presignPut,
    encryptionHeaders,
    maxParts,
    published,
  };
  return { ...storage, store, otherAddress: other.address };
}

const FIND = "select storage from projects where id = $1::bigint";

/** The storages that a new project can have, the default first. None: there is no choice. */
export function namesOfStorages({ all }: Pick<Storages, "all">): string[] {
  return all.flatMap(({ name }) => name ?? []);
}

/**
 * Returns the name that a new project records. It does not depend on a later change of the default.
 *
 * @param names of all storages, the default first
 * @param wanted null: the default
 * @throws {StowageError} `invalid_request` if there is no such storage
 */
export function chooseStorage(names: readonly string[], wanted: string | null): string | null {
  if (wanted === null) return names[0] ?? null;
  if (names.includes(wanted)) return wanted;
  const choice = names.length === 0 ? "This installation has no STORAGES_FILE" : `It has ${names.join(", ")}`;
  throw new StowageError("invalid_request", { detail: `There is no storage of this name. ${choice}` });
}

/** @returns undefined for the only storage of an installation */
export function scopeOf(storages: Storages, storage: Storage): StorageScope | undefined {
  const { name } = storage;
  if (name === null) return undefined;
  const isDefault = storage === storages.all[0];
  return {
    // A project whose storage is not known here is left to a process that knows it.
    owns: async (projectId) => (await storages.of(projectId).catch(ignoreUnavailable))?.name === name,
    condition: (column) => {
      const storage = isDefault ? `coalesce(owner.storage, '${name}')` : "owner.storage";
      return `exists (select from projects owner where owner.id = ${column} and ${storage} = '${name}')`;
    },
  };
}

function ignoreUnavailable(error: unknown): null {
  if (error instanceof StowageError && error.code === "unavailable") return null;
  throw error;
}

/**
 * Finds a storage that projects use, or are moving from or to, and that the settings do not have.
 *
 * @param names those of the settings; none without STORAGES_FILE
 * @returns its name, or null if there is none
 * @throws {StowageError} `unavailable`
 */
export async function findMissingStorage(db: Queries, names: readonly string[]): Promise<string | null> {
  const [row] = await db.execute<{ storage: string }>(FIND_MISSING, [JSON.stringify(names)]);
  return row?.storage ?? null;
}

const FIND_MISSING = `
select storage from (
  select storage from projects
  union select from_storage from storage_moves
  union select to_storage from storage_moves) used
where storage is not null and storage not in (select value from json_array_elements_text($1::text::json)) limit 1`;
