import { StowageError } from "@stowage/schemas";
import { LruMap } from "toad-cache";
import type { Database } from "#db/client.js";
import { SECOND_MS } from "#lib/time.js";
import { type MovingStores, storeOfMove } from "#object-store/moving-store.js";
import type { ObjectStore } from "#object-store/object-store.js";

/** How soon every process acts as the table says. */
export interface MoveTimes {
  /** A process that uses storage reads the table again after this time. */
  refreshMs: number;
  /** A process that could not read the table for this time uses no storage. */
  maxAgeMs: number;
  /** A call that began before lasts no longer. */
  longestCallMs: number;
}

export const moveTimes: MoveTimes = {
  refreshMs: 5 * SECOND_MS,
  maxAgeMs: 10 * SECOND_MS,
  longestCallMs: 65 * SECOND_MS,
};

/** A project that moves to another storage. */
export interface MovingProject {
  projectId: number;
  ref: string;
  /** Their names in STORAGES_FILE. */
  from: string;
  to: string;
  /** That which it belongs to. Null: the default. */
  home: string | null;
  state: MovingStores["state"];
  /** @throws {StowageError} `unavailable` if this process has no settings of one of the storages */
  store(): ObjectStore;
}

export interface MovingProjects {
  /**
   * The projects that move, no longer ago than {@link MoveTimes.maxAgeMs}.
   *
   * @throws {StowageError} `unavailable`
   */
  current(): Promise<KnownMoves>;
}

export interface KnownMoves {
  byId: ReadonlyMap<number, MovingProject>;
  byRef: ReadonlyMap<string, MovingProject>;
}

const NO_MOVES: KnownMoves = { byId: new Map(), byRef: new Map() };
const MAX_KNOWN_UPLOADS = 100_000;
const RETRY_AFTER_SECONDS = 10;

/**
 * Knows which projects move. It reads the table when storage is used, so a process that does nothing reads nothing.
 *
 * @param storeOf the store of a storage, null for the default; undefined if this process has no settings of it
 * @param onChange gets the ids of projects whose storage may have changed; null: any
 */
export function createMovingProjects(
  db: Database,
  storeOf: (name: string | null) => ObjectStore | undefined,
  onChange: (projectIds: Iterable<number> | null) => void,
  times: MoveTimes = moveTimes,
): MovingProjects {
  const uploadPlaces = new LruMap<ObjectStore>(MAX_KNOWN_UPLOADS);
  let known = NO_MOVES;
  let readAt = startOfTime;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    const startedAt = now();
    const rows = await db.lane("read", "storage moves").execute<Row>(READ_MOVES, []);
    const moves = rows.map((row) => toMove(row, storeOf, uploadPlaces));
    const before = known;
    known = {
      byId: new Map(moves.map((move) => [move.projectId, move])),
      byRef: new Map(moves.map((move) => [move.ref, move])),
    };
    // A move may have begun and ended meanwhile.
    const mayHaveMissed = msSince(readAt) > times.maxAgeMs;
    onChange(mayHaveMissed ? null : [...before.byId.keys(), ...known.byId.keys()]);
    readAt = startedAt;
  }

  /** One statement at a time. */
  function refresh(): Promise<void> {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  }

  return {
    async current() {
      if (msSince(readAt) > times.maxAgeMs) {
        // The statement that runs may have begun too early.
        await refresh();
        if (msSince(readAt) > times.maxAgeMs) await refresh();
      } else if (msSince(readAt) > times.refreshMs) {
        void refresh().catch(() => undefined);
      }
      return known;
    },
  };
}

/** A moment by two clocks: one stands still while the machine sleeps, the other one can be set back. */
interface Moment {
  monotonicMs: number;
  wallMs: number;
}

const startOfTime: Moment = { monotonicMs: -Infinity, wallMs: -Infinity };
const now = (): Moment => ({ monotonicMs: performance.now(), wallMs: Date.now() });

function msSince({ monotonicMs, wallMs }: Moment): number {
  return Math.max(performance.now() - monotonicMs, Date.now() - wallMs);
}

interface Row extends Record<string, unknown> {
  projectId: string | number;
  ref: string;
  from: string;
  to: string;
  home: string | null;
  state: MovingStores["state"];
}

const READ_MOVES = `
select m.project_id as "projectId", p.ref, m.from_storage as "from", m.to_storage as "to", p.storage as home, m.state
from storage_moves m join projects p on p.id = m.project_id`;

function toMove(
  { projectId, ref, from, to, home, state }: Row,
  storeOf: (name: string | null) => ObjectStore | undefined,
  uploadPlaces: LruMap<ObjectStore>,
): MovingProject {
  const find = (name: string | null) => {
    const found = storeOf(name);
    if (!found) throw unknownStorage(name);
    return found;
  };
  const store = () => storeOfMove({ from: find(from), to: find(to), home: find(home), state }, uploadPlaces);
  return { projectId: Number(projectId), ref, from, to, home, state, store };
}

export function unknownStorage(name: string | null): StowageError {
  return new StowageError("unavailable", {
    detail: "The storage of this project is not set up",
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: new Error(`STORAGES_FILE of this process has no storage ${name}`),
  });
}

const PREFIX = "projects/";
const REF_LENGTH = 22;

/** Finds the project that a path, or a prefix of one project, belongs to. */
export function moveAt({ byRef }: KnownMoves, path: string): MovingProject | undefined {
  if (byRef.size === 0 || !path.startsWith(PREFIX)) return undefined;
  return byRef.get(path.slice(PREFIX.length, PREFIX.length + REF_LENGTH));
}
