import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { Runtime } from "../runtime.js";
import { setResumeMarker } from "./resume-marker.js";

/**
 * What this browser remembers of an unfinished upload by parts. It has no name and no size: the page shows what the backend
 * answers, which knows the user.
 */
export interface SavedUpload {
  /** `file_path` of the upload. */
  path: string;
  /** The backend and the route of the list that the upload belongs to. */
  scope: string;
  /** Reads the file again without choosing it, after the person has allowed it. */
  handle?: FileSystemFileHandle;
  /** When the upload ends, in milliseconds since the epoch. */
  expiresAtMs: number;
  savedAtMs: number;
}

/**
 * Remembers uploads in IndexedDB. It only helps to find files again, because the list comes from the backend. So nothing
 * here throws, and a browser without a usable IndexedDB remembers nothing.
 */
export interface ResumeStore {
  save(upload: Omit<SavedUpload, "savedAtMs">): Promise<void>;
  remove(path: string): Promise<void>;
  /** The uploads of a scope that have not ended, newest first. Also deletes those that have ended. */
  list(scope: string): Promise<SavedUpload[]>;
}

const DATABASE = "stowage-uploads";
const VERSION = 1;
const UPLOADS = "uploads";
/** Largest number in all scopes together. The oldest is deleted first. */
const MAX_UPLOADS = 100;
/** An IndexedDB that another page blocks, or that the browser has lost, may never answer. */
const TIMEOUT_MS = 2_000;

interface Schema extends DBSchema {
  [UPLOADS]: { key: string; value: SavedUpload };
}

export function createResumeStore({ now, after }: Pick<Runtime, "now" | "after">): ResumeStore {
  /**
   * Each call opens the database and closes it again. Browsers keep an open connection as long as the page, also when its list is
   * gone, and a page with a newer version of the widget would wait for it.
   *
   * @returns null if the database is missing, blocked, full, newer than this code, or does not answer
   */
  function attempt<Result>(work: (db: IDBPDatabase<Schema>) => Promise<Result>): Promise<Result | null> {
    async function run(): Promise<Result> {
      const db = await openDB<Schema>(DATABASE, VERSION, {
        upgrade(created) {
          created.createObjectStore(UPLOADS, { keyPath: "path" });
        },
      });
      try {
        return await work(db);
      } finally {
        db.close();
      }
    }

    return new Promise((resolve) => {
      const cancel = after(TIMEOUT_MS, () => resolve(null));
      run()
        .catch(() => null)
        .then((result) => {
          cancel();
          resolve(result);
        })
        .catch(() => {});
    });
  }

  async function put(db: IDBPDatabase<Schema>, upload: SavedUpload) {
    try {
      await db.put(UPLOADS, upload);
    } catch {
      // Some browsers cannot store handles.
      const { handle: _, ...withoutHandle } = upload;
      await db.put(UPLOADS, withoutHandle);
    }
    await prune(db);
  }

  /** Deletes the uploads that have ended or are too many. @returns the others, newest first */
  async function prune(db: IDBPDatabase<Schema>): Promise<SavedUpload[]> {
    const all = (await db.getAll(UPLOADS)).sort((a, b) => b.savedAtMs - a.savedAtMs);
    const kept = all.filter(({ expiresAtMs }) => expiresAtMs > now()).slice(0, MAX_UPLOADS);
    await Promise.all(
      all.filter((upload) => !kept.includes(upload)).map(({ path }) => db.delete(UPLOADS, path)),
    );
    setResumeMarker(kept.length > 0);
    return kept;
  }

  return {
    async save(upload) {
      await attempt((db) => put(db, { ...upload, savedAtMs: now() }));
    },
    async remove(path) {
      await attempt(async (db) => {
        await db.delete(UPLOADS, path);
        await prune(db);
      });
    },
    async list(scope) {
      const uploads = (await attempt(prune)) ?? [];
      return uploads.filter((upload) => upload.scope === scope);
    },
  };
}
