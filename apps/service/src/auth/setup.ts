import { DashboardError, type FinishSetupInput } from "@stowage/operator-schemas";
import { asc, lt } from "drizzle-orm";
import type { ClientInfo } from "#audit/caller.js";
import { writeAudit } from "#audit/write-audit.js";
import { inTransaction, type Queries, type Transaction } from "#db/client.js";
import { operators, setupTokens } from "#db/schema/index.js";
import type { RandomBytes } from "#lib/random.js";
import { addMs, DAY_MS } from "#lib/time.js";
import type { DashboardAddress } from "./dashboard-address.js";
import { createToken, hashToken, isSameHash } from "./one-time-token.js";
import { insertOperator } from "./operators.js";
import type { SignIn } from "./sign-in.js";

/** Tells whether the installation has an operator. @throws {StowageError} `unavailable` */
export async function isSetUp(deps: { db: Queries }): Promise<boolean> {
  const [first] = await deps.db.run((db) => db.select({ id: operators.id }).from(operators).limit(1));
  return first !== undefined;
}

/** How long a link works. Tokens that are older are deleted when the next one is made. */
const SETUP_LINK_VALID_MS = DAY_MS;

/**
 * Creates a link that may create the first operator. It works for one day, and until an operator exists. Several links may be valid
 * at the same time, such as those of several replicas.
 *
 * @returns null if the installation already has an operator
 * @throws {StowageError} `unavailable`
 */
export async function offerSetup(deps: {
  db: Queries;
  clock: () => Date;
  randomBytes: RandomBytes;
  dashboard: Pick<DashboardAddress, "url">;
}): Promise<{ url: string; expiresAt: string } | null> {
  if (await isSetUp(deps)) return null;
  const token = createToken(deps.randomBytes);
  const now = deps.clock();
  await deps.db.run(async (db) => {
    await db.delete(setupTokens).where(lt(setupTokens.createdAt, addMs(now, -SETUP_LINK_VALID_MS)));
    await db.insert(setupTokens).values({ tokenHash: hashToken(token), createdAt: now });
  });
  // Browsers do not send the part behind the # to any server, so the token appears in no server's log.
  const url = `${deps.dashboard.url()}/setup#${token}`;
  return { url, expiresAt: addMs(now, SETUP_LINK_VALID_MS).toISOString() };
}

interface FinishSetupDeps {
  db: Queries;
  clock: () => Date;
  randomBytes: RandomBytes;
  signIn: Pick<SignIn, "hashPassword">;
  /** True: the first operator signs in with OpenID Connect. */
  isPasswordOff: boolean;
}

/**
 * Creates the first operator, who is an admin of the installation. If two calls run at the same time, one succeeds: both lock the same
 * token rows, and the second call finds none.
 *
 * @throws {DashboardError} `setup_refused` if the token is wrong, expired or used, `password_sign_in_off`; {@link StowageError}
 * `unavailable`
 */
export async function finishSetup(
  deps: FinishSetupDeps,
  client: ClientInfo,
  input: FinishSetupInput,
): Promise<{ email: string }> {
  if (deps.isPasswordOff) throw new DashboardError("password_sign_in_off");
  const tokenHash = hashToken(input.token);
  // Hashing a password is expensive, so a caller without a valid token must not reach it.
  await inTransaction(deps.db, (_, tx) => requireSetupToken(tx, tokenHash, deps.clock()));
  const passwordHash = await deps.signIn.hashPassword(input.password);
  return inTransaction(deps.db, async (_, tx) => {
    const { name, email } = input;
    const operator = await createFirstOperator(tx, deps, { tokenHash, name, email, passwordHash });
    const action = "installation.set_up";
    await writeAudit(tx, { operator, client, at: deps.clock() }, { projectId: null, action });
    return { email };
  });
}

/**
 * Uses a set-up link up and creates the first operator.
 *
 * @throws {DashboardError} `setup_refused`
 */
export async function createFirstOperator(
  tx: Transaction,
  deps: { clock: () => Date; randomBytes: RandomBytes },
  account: { tokenHash: string; name: string; email: string; passwordHash: string | null },
): Promise<{ id: string; email: string }> {
  const { tokenHash, ...operator } = account;
  await requireSetupToken(tx, tokenHash, deps.clock());
  const [existing] = await tx.select({ id: operators.id }).from(operators).limit(1);
  if (existing) throw new DashboardError("setup_refused");
  await tx.delete(setupTokens);
  return insertOperator(tx, deps, { ...operator, isAdmin: true });
}

/** Compares with every stored token in constant time, so that the duration reveals nothing. */
async function requireSetupToken(tx: Transaction, tokenHash: string, now: Date): Promise<void> {
  const tokens = await tx.select().from(setupTokens).orderBy(asc(setupTokens.tokenHash)).for("update");
  const matches = tokens.filter(
    (token) => isSameHash(token.tokenHash, tokenHash) && addMs(token.createdAt, SETUP_LINK_VALID_MS) >= now,
  );
  if (matches.length === 0) throw new DashboardError("setup_refused");
}
