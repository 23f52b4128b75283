import { DashboardError, type FinishSetupInput } from "@stowage/schemas/dashboard";
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
}

/**
 * Creates the first operator, who is an admin of the installation. If two calls run at the same time, one succeeds: both lock the same
 * token rows, and the second call finds none.
 *
 * @throws {DashboardError} `setup_refused` if the token is wrong, expired or used; {@link StowageError} `unavailable`
 */
export async function finishSetup(
  deps: FinishSetupDeps,
  client: ClientInfo,
  input: FinishSetupInput,
): Promise<{ email: string }> {
  const tokenHash = hashToken(input.token);
  // Hashing a password is expensive, so a caller without a valid token must not reach it.
  await inTransaction(deps.db, (_, tx) => requireSetupToken(tx, tokenHash, deps.clock()));
  const passwordHash = await deps.signIn.hashPassword(input.password);
  return inTransaction(deps.db, async (_, tx) => {
    await requireSetupToken(tx, tokenHash, deps.clock());
    const [existing] = await tx.select({ id: operators.id }).from(operators).limit(1);
    if (existing) throw new DashboardError("setup_refused");
    await tx.delete(setupTokens);
    const { name, email } = input;
    const operator = await insertOperator(tx, deps, { name, email, passwordHash, isAdmin: true });
    await writeAudit(
      tx,
      { operator, client, at: deps.clock() },
      { projectId: null, action: "installation.set_up" },
    );
    return { email };
  });
}

/** Compares with every stored token in constant time, so that the duration reveals nothing. */
async function requireSetupToken(tx: Transaction, tokenHash: string, now: Date): Promise<void> {
  const tokens = await tx.select().from(setupTokens).orderBy(asc(setupTokens.tokenHash)).for("update");
  const matches = tokens.filter(
    (token) => isSameHash(token.tokenHash, tokenHash) && addMs(token.createdAt, SETUP_LINK_VALID_MS) >= now,
  );
  if (matches.length === 0) throw new DashboardError("setup_refused");
}
