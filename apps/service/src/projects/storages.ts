import { StowageError } from "@stowage/schemas";
import { LruMap } from "toad-cache";
import type { Database, Queries } from "#db/client.js";
import type { ObjectStore, StorageAddress } from "#object-store/object-store.js";

/** One storage of the installation. A project belongs to one, and so do all objects of its files. */
export interface Storage {
  /** As in STORAGES_FILE. Null: the only storage of an installation without that file. */
  name: string | null;
  store: ObjectStore;
  address: StorageAddress;
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
const RETRY_AFTER_SECONDS = 10;

/** Remembers the storages of projects, which never change. */
export function createStorages(db: Database, all: readonly Storage[]): Storages {
  const [main] = all;
  if (!main) throw new Error("an installation has at least one storage");
  if (main.name === null) return { all, of: async () => main };
  const byName = new Map(all.map((storage) => [storage.name, storage]));
  const known = new LruMap<Storage>(MAX_KNOWN_PROJECTS);
  return {
    all,
    async of(projectId) {
      const found = known.get(projectId);
      if (found) return found;
      const [project] = await db
        .lane("read", String(projectId))
        .execute<{ storage: string | null }>(FIND, [projectId]);
      if (!project) return main;
      const storage = project.storage === null ? main : byName.get(project.storage);
      if (!storage) throw unknownStorage(project.storage!);
      known.set(projectId, storage);
      return storage;
    },
  };
}

const FIND = "select storage from projects where id = $1::bigint";

function unknownStorage(name: string): StowageError {
  return new StowageError("unavailable", {
    detail: "The storage of this project is not set up",
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: new Error(`STORAGES_FILE of this process has no storage ${name}`),
  });
}

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
    owns: async (projectId) => (await storages.of(projectId).catch(ignoreUnavailable)) === storage,
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
 * Finds a storage that projects use and that the settings do not have.
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
select storage from projects
where storage is not null and storage not in (select value from json_array_elements_text($1::text::json)) limit 1`;
