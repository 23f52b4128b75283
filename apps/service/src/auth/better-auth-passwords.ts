import { StowageError } from "@stowage/schemas";
import { hashPassword, verifyPassword } from "better-auth/crypto";
import {
  createFairQueue,
  DeadlineExceededError,
  OwnerBoundError,
  QueueFullError,
} from "#db/traffic/fair-queue.js";
import { clientNetwork } from "#lib/client-network.js";
import { rememberDatabaseErrors } from "./database-errors.js";
import { callContext } from "./sign-in-audit.js";

export interface Passwords {
  /** @throws {StowageError} `too_many_requests` */
  hash(password: string): Promise<string>;
  /** @throws {StowageError} `too_many_requests` */
  verify(given: { hash: string; password: string }): Promise<boolean>;
}

/**
 * scrypt runs on libuv's threads, four by default, which DNS and files need too. Without a limit, guesses from some twenty addresses
 * would keep all of them busy for a minute: the service could open no connection to the database and to storage.
 */
const MAX_RUNNING = 2;
/** On a slow core, a hash takes 0.4 seconds. */
const MAX_WAITING = 100;
/** An address may try ten times in a minute. Operators behind one proxy or router share it. */
const MAX_WAITING_PER_CLIENT = 20;
/** A password that has waited for half of it is refused. */
const TIMEOUT_MS = 40_000;
const RETRY_AFTER_SECONDS = 10;

/**
 * Hashes passwords with scrypt: at most two at the same time, in turns between clients.
 *
 * @param maxWaitingPerClient beyond it a client is refused. @default 20
 */
export function createPasswords({ maxWaitingPerClient = MAX_WAITING_PER_CLIENT } = {}): Passwords {
  const queue = createFairQueue({
    maxRunning: MAX_RUNNING,
    maxRunningPerOwner: 1,
    maxWaiting: MAX_WAITING,
    maxWaitingPerOwner: maxWaitingPerClient,
  });
  let links = 0;
  const inTurn = <T>(work: () => Promise<T>) => {
    const client = callContext.getStore()?.client;
    // Outside of a sign-in call, only holders of one-time links set a password. Each takes a turn of its own.
    const owner = client ? clientNetwork(client.ipAddress) : `link ${++links}`;
    return rememberDatabaseErrors(queue.run(owner, work, TIMEOUT_MS).catch(throwAsRefusal));
  };
  return {
    hash: (password) => inTurn(() => hashPassword(password)),
    verify: (given) => inTurn(() => verifyPassword(given)),
  };
}

function throwAsRefusal(cause: unknown): never {
  const isOverload = [DeadlineExceededError, QueueFullError, OwnerBoundError].some(
    (type) => cause instanceof type,
  );
  throw isOverload
    ? new StowageError("too_many_requests", { retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
    : cause;
}
