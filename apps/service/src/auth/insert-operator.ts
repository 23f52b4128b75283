import type { Transaction } from "#db/client.js";
import { operatorAccounts, operators } from "#db/schema/index.js";
import { type RandomBytes, randomRef } from "#lib/random.js";

export interface NewOperator {
  name: string;
  /** In lower case. */
  email: string;
  passwordHash: string;
  isAdmin: boolean;
}

/** Adds a person and their password. */
export async function insertOperator(
  tx: Transaction,
  deps: { clock: () => Date; randomBytes: RandomBytes },
  { passwordHash, ...person }: NewOperator,
): Promise<{ id: string; email: string }> {
  const id = randomRef(deps.randomBytes);
  const now = deps.clock();
  const times = { createdAt: now, updatedAt: now };
  // Whoever brings a token that was made for an address, or was printed by the service, has shown that they are meant.
  await tx.insert(operators).values({ id, ...person, emailVerified: true, ...times });
  await tx.insert(operatorAccounts).values({
    id: randomRef(deps.randomBytes),
    operatorId: id,
    accountId: id,
    providerId: "credential",
    password: passwordHash,
    ...times,
  });
  return { id, email: person.email };
}
