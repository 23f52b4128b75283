import { hashPassword, verifyPassword } from "better-auth/crypto";
import { clientNetwork } from "#lib/client-network.js";
import { rememberDatabaseErrors } from "./database-errors.js";
import { type LinkPasswords, queueOfLinks, type ScryptQueue } from "./scrypt-queue.js";
import { callContext } from "./sign-in-audit.js";

export interface Passwords {
  /** @throws {StowageError} `too_many_requests` */
  hash(password: string): Promise<string>;
  /** @throws {StowageError} `too_many_requests` */
  verify(given: { hash: string; password: string }): Promise<boolean>;
}

/** Hashes the passwords of operators with scrypt, in turns between clients. */
export function createPasswords(queue: ScryptQueue): Passwords {
  let links = 0;
  const inTurn = <T>(work: () => Promise<T>) => {
    const client = callContext.getStore()?.client;
    // Outside of a sign-in call, only holders of one-time links set a password. Each takes a turn of its own.
    const owner = client ? clientNetwork(client.ipAddress) : `link ${++links}`;
    return rememberDatabaseErrors(queue.run(owner, work));
  };
  return {
    hash: (password) => inTurn(() => hashPassword(password)),
    verify: (given) => inTurn(() => verifyPassword(given)),
  };
}

/** Hashes the passwords of share links with scrypt. */
export function createLinkPasswords(queue: ScryptQueue): LinkPasswords {
  const links = queueOfLinks(queue);
  return {
    hash: (owner, password) => links.run(owner, () => hashPassword(password)),
    verify: (owner, given) => links.run(owner, () => verifyPassword(given)),
  };
}
