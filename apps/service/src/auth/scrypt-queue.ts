import { StowageError } from "@stowage/schemas";
import {
  createFairQueue,
  DeadlineExceededError,
  type FairQueue,
  OwnerBoundError,
  QueueFullError,
} from "#db/traffic/fair-queue.js";

/** Runs the calls of scrypt of this process, a few at the same time, in turns between their owners. */
export interface ScryptQueue {
  /** @throws {StowageError} `too_many_requests` if too many calls wait; any error of `work` */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

/** Hashes the passwords of share links. */
export interface LinkPasswords {
  /** @param owner who waits for it: a project or the address of a client @throws {StowageError} `too_many_requests` */
  hash(owner: string, password: string): Promise<string>;
  /** @throws {StowageError} `too_many_requests` */
  verify(owner: string, given: { hash: string; password: string }): Promise<boolean>;
}

/** @param load loads the code that hashes */
export function lazyLinkPasswords(load: () => Promise<LinkPasswords>): LinkPasswords {
  return {
    hash: async (owner, password) => (await load()).hash(owner, password),
    verify: async (owner, given) => (await load()).verify(owner, given),
  };
}

/**
 * scrypt runs on libuv's threads, four by default, which DNS and files need too. Without a limit, guesses from some twenty addresses
 * would keep all of them busy for a minute: the service could open no connection to the database and to storage.
 */
const MAX_RUNNING = 2;
/** On a slow core, a hash takes 0.4 seconds. */
const MAX_WAITING = 100;
/** An address may try ten times in a minute. Operators behind one proxy or router share it. */
const MAX_WAITING_PER_OWNER = 20;
/** A password that has waited for half of it is refused. */
const TIMEOUT_MS = 40_000;
const RETRY_AFTER_SECONDS = 10;

/** @param maxWaitingPerOwner beyond it an owner is refused. @default 20 */
export function createScryptQueue({ maxWaitingPerOwner = MAX_WAITING_PER_OWNER } = {}): ScryptQueue {
  return refusing(
    createFairQueue({
      maxRunning: MAX_RUNNING,
      maxRunningPerOwner: 1,
      maxWaiting: MAX_WAITING,
      maxWaitingPerOwner,
    }),
  );
}

/**
 * The queue of the passwords of share links, whose visitors are strangers. Together they are one owner of `queue`, so that operators who
 * sign in wait for one of them at most.
 */
export function queueOfLinks(queue: ScryptQueue): ScryptQueue {
  const links = refusing(
    createFairQueue({ maxRunning: 1, maxRunningPerOwner: 1, maxWaiting: 50, maxWaitingPerOwner: 10 }),
  );
  return { run: (owner, work) => links.run(owner, () => queue.run("share links", work)) };
}

function refusing(queue: FairQueue): ScryptQueue {
  return { run: (owner, work) => queue.run(owner, work, TIMEOUT_MS).catch(throwAsRefusal) };
}

function throwAsRefusal(cause: unknown): never {
  const isOverload = [DeadlineExceededError, QueueFullError, OwnerBoundError].some(
    (type) => cause instanceof type,
  );
  throw isOverload
    ? new StowageError("too_many_requests", { retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
    : cause;
}
