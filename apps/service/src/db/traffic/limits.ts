/*
 * Every number that decides how long a call waits for the database, and which call is refused. Each line says what a user of the API
 * notices. docs/decisions/0021 has the reasons, lab/bench/notes.md the measurements.
 */

interface LaneShare {
  /** This many of {@link ALL_SHARES} connections. More let more calls of the lane run at once, and leave fewer to the other lanes. */
  connections: number;
  /** The time limit as a share of `DATABASE_TIMEOUT_MS`: a call gets its answer, or 503, within it. Short reads need less. */
  time: number;
}

export const LANE_SHARES = {
  upload: { connections: 4, time: 1 },
  read: { connections: 3, time: 0.6 },
  work: { connections: 3, time: 1 },
  list: { connections: 2, time: 1 },
  "unknown-key": { connections: 1, time: 0.4 },
  health: { connections: 1, time: 1 },
} satisfies Record<string, LaneShare>;
export const ALL_SHARES = 14;

/** A call that has waited for this share of its time gets 429 or 503 and is never carried out, so one that starts has time to end. */
export const LATEST_START = 0.5;
/** How many calls of one owner and kind may wait for each connection of the lane. A project with more gets 429. */
export const MAX_WAITING_OF_OWNER_PER_CONNECTION = 50;
/**
 * At least so many, so that a backend that makes 200 calls at once is answered, also by a lane with one connection. Waiting costs no
 * other owner time: owners take turns.
 */
export const MIN_WAITING_OF_OWNER = 250;
/** How many calls of all owners may wait for each connection of the lane. Further ones get 503. They could not be served in time. */
export const MAX_WAITING_PER_CONNECTION = 200;
/** At least so many: eight projects with {@link MIN_WAITING_OF_OWNER} calls each are answered. */
export const MIN_WAITING = 2000;

/** The time that an owner may use before it is the next owner's turn. About ten short statements: what a project waits for another. */
export const QUANTUM_MS = 5;
/** What starting a statement costs beside its duration. Without it, statements that take no measurable time would be free. */
export const OVERHEAD_MS = 0.05;

/** Calls in one statement. With 100 uploads it takes about ten milliseconds, and the next upload may have to wait that long. */
export const MAX_BATCH = 100;
/**
 * One statement of a kind runs at a time: what arrives meanwhile shares the next one, so a busy database has fewer and larger statements. One that
 * takes longer than this, for example because it waits for a lock, does not keep the calls of other owners waiting: the next one starts. On
 * Citus different nodes work on different owners, so each owner has a statement.
 */
export const SLOW_STATEMENT_MS = 100;

/** For this long after calls of different owners, they count as sharing the lane, and the three limits below apply. */
export const SHARED_FOR_MS = 1000;
/** Calls of one owner in a shared statement. Less delays the other owners less, and costs one that floods more. */
export const MAX_SHARED_BATCH_OF_OWNER = 24;
/** An owner with so many calls in running statements waits until one has ended: the statements of a flood then follow each other. */
export const MANY_CALLS = 12;
/**
 * So many statements of a kind may run while one has {@link MANY_CALLS} of one owner, the others for owners that have none: a quiet
 * project does not wait for the statements of a flood.
 */
export const STATEMENTS_DURING_A_FLOOD = 2;

/** `Retry-After` of 503. */
export const RETRY_AFTER_SECONDS = 2;
/** `Retry-After` of 429: the owner's calls that are waiting now are done by then. */
export const RETRY_AFTER_OWN_BOUND_SECONDS = 1;
/** How long a caller waits for the end of a statement that reached its time limit. A working server ends it sooner. */
export const GRACE_MS = 500;
