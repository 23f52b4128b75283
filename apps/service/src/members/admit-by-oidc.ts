import { DashboardError, finishSetupInput, type OidcRefusal } from "@stowage/operator-schemas";
import { and, eq, gt } from "drizzle-orm";
import type { ClientInfo } from "#audit/caller.js";
import { type AuditEntry, writeAudit } from "#audit/write-audit.js";
import { type AdmitByOidc, type OidcIdentity, type OidcIntent, OidcRefused } from "#auth/oidc.js";
import { insertOperator } from "#auth/operators.js";
import { createFirstOperator } from "#auth/setup.js";
import { inTransaction, type Queries, type Transaction } from "#db/client.js";
import { operatorAccounts, operators, operatorSessions } from "#db/schema/index.js";
import { type RandomBytes, randomRef } from "#lib/random.js";
import { joinByInvitation } from "./accept-invitation.js";

interface AdmitDeps {
  db: Queries;
  clock: () => Date;
  randomBytes: RandomBytes;
}

/** Who may enter: see docs/decisions/0038. */
export interface AdmissionPolicy {
  /** Connects an existing account by its verified e-mail address, without its password. */
  connectByEmail: boolean;
  requireSecondFactor: boolean;
}

interface Found {
  id: string;
  email: string;
}

/** Creates the verb that decides whether a person whom the OpenID Connect provider has identified may enter. */
export function createAdmission(deps: AdmitDeps, policy: AdmissionPolicy): AdmitByOidc {
  return (identity, intent, client) =>
    inTransaction(deps.db, async (_, tx) => {
      if (policy.requireSecondFactor && !identity.hasSecondFactor) {
        throw new OidcRefused("second_factor_missing", (await findConnected(tx, identity))?.id ?? null);
      }
      const admission = { tx, deps, policy, identity, intent, client };
      const { operator, to } = await refusedAsOidc(enter(admission));
      return { operatorId: operator.id, email: operator.email, to };
    });
}

interface Admission {
  tx: Transaction;
  deps: AdmitDeps;
  policy: AdmissionPolicy;
  identity: OidcIdentity;
  intent: OidcIntent;
  client: ClientInfo;
}

async function enter(admission: Admission): Promise<{ operator: Found; to: string }> {
  const { intent } = admission;
  if (intent.connect) return { operator: await connectCaller(admission, intent.connect), to: intent.to };
  if (intent.link?.kind === "invitation") return acceptByOidc(admission, intent.link.tokenHash);
  if (intent.link?.kind === "setup") {
    return { operator: await setUpByOidc(admission, intent.link.tokenHash), to: intent.to };
  }
  const operator =
    (await findConnected(admission.tx, admission.identity)) ?? (await connectByEmail(admission));
  return { operator, to: intent.to };
}

/** Connects the account of an operator who has confirmed it with the password. The session of that confirmation is replaced. */
async function connectCaller(
  { tx, deps, identity, client }: Admission,
  { operatorId, sessionId }: NonNullable<OidcIntent["connect"]>,
): Promise<Found> {
  const [caller] = await tx
    .select({ id: operators.id, email: operators.email })
    .from(operatorSessions)
    .innerJoin(operators, eq(operators.id, operatorSessions.operatorId))
    .where(
      and(
        eq(operatorSessions.id, sessionId),
        eq(operatorSessions.operatorId, operatorId),
        gt(operatorSessions.expiresAt, deps.clock()),
      ),
    )
    .for("update");
  if (!caller) throw new OidcRefused("expired");
  const connected = await findConnected(tx, identity);
  if (connected && connected.id !== caller.id) throw new OidcRefused("already_connected", caller.id);
  if (!connected) await connect({ tx, deps, identity, client }, caller);
  await tx.delete(operatorSessions).where(eq(operatorSessions.id, sessionId));
  return caller;
}

async function acceptByOidc(
  admission: Admission,
  tokenHash: string,
): Promise<{ operator: Found; to: string }> {
  const { tx, deps, identity, client } = admission;
  let operator: Found | undefined;
  const { projectRef } = await joinByInvitation(tx, deps, { tokenHash, client }, async (invited) => {
    operator = await findConnected(tx, identity);
    if (!operator) {
      if (requireVerifiedEmail(identity) !== invited) throw new OidcRefused("other_address");
      operator = (await findByEmail(tx, invited))
        ? await connectByEmail(admission)
        : await createAccount(admission, invited);
    }
    if (operator.email !== invited) throw new OidcRefused("other_address", operator.id);
    return operator;
  });
  return { operator: operator!, to: `/projects/${projectRef}` };
}

async function setUpByOidc({ tx, deps, identity, client }: Admission, tokenHash: string): Promise<Found> {
  const email = requireVerifiedEmail(identity);
  const name = nameOf(identity, email);
  const operator = await createFirstOperator(tx, deps, { tokenHash, name, email, passwordHash: null });
  await writeEntry({ tx, deps, client }, operator, { projectId: null, action: "installation.set_up" });
  await connect({ tx, deps, identity, client }, operator);
  return operator;
}

async function createAccount({ tx, deps, identity, client }: Admission, email: string): Promise<Found> {
  const account = { name: nameOf(identity, email), email, passwordHash: null, isAdmin: false };
  const operator = await insertOperator(tx, deps, account);
  await connect({ tx, deps, identity, client }, operator);
  return operator;
}

/**
 * Connects the operator who has the person's verified address, if the installation wants that. An operator with a second factor here
 * would lose it silently, so the provider must have checked one.
 */
async function connectByEmail({ tx, deps, policy, identity, client }: Admission): Promise<Found> {
  const operator = await findByEmail(tx, requireVerifiedEmail(identity));
  if (!operator) throw new OidcRefused("not_invited");
  const keepsFactor = !operator.twoFactorEnabled || identity.hasSecondFactor;
  if (!policy.connectByEmail || !keepsFactor) throw new OidcRefused("not_connected", operator.id);
  await connect({ tx, deps, identity, client }, operator);
  return operator;
}

/** An operator has one account of the provider, so that a stolen session cannot add another one unseen. */
async function connect(
  { tx, deps, identity, client }: Pick<Admission, "tx" | "deps" | "identity" | "client">,
  operator: Found,
): Promise<void> {
  const [other] = await tx
    .select({ id: operatorAccounts.id })
    .from(operatorAccounts)
    .where(and(eq(operatorAccounts.operatorId, operator.id), eq(operatorAccounts.providerId, "oidc")));
  if (other) throw new OidcRefused("already_connected", operator.id);
  const at = deps.clock();
  const [added] = await tx
    .insert(operatorAccounts)
    .values({
      id: randomRef(deps.randomBytes),
      operatorId: operator.id,
      accountId: identity.accountId,
      providerId: "oidc",
      createdAt: at,
      updatedAt: at,
    })
    .onConflictDoNothing()
    .returning({ id: operatorAccounts.id });
  if (!added) throw new OidcRefused("already_connected", operator.id);
  const details = { issuer: identity.issuer };
  await writeEntry({ tx, deps, client }, operator, {
    projectId: null,
    action: "operator.oidc_connected",
    details,
  });
}

async function findConnected(tx: Transaction, { accountId }: OidcIdentity): Promise<Found | undefined> {
  const [found] = await tx
    .select({ id: operators.id, email: operators.email })
    .from(operatorAccounts)
    .innerJoin(operators, eq(operators.id, operatorAccounts.operatorId))
    .where(and(eq(operatorAccounts.providerId, "oidc"), eq(operatorAccounts.accountId, accountId)));
  return found;
}

/** Locks the operator, so that two sign-ins at the same time connect one account of the provider. */
async function findByEmail(tx: Transaction, email: string) {
  const [found] = await tx
    .select({ id: operators.id, email: operators.email, twoFactorEnabled: operators.twoFactorEnabled })
    .from(operators)
    .where(eq(operators.email, email))
    .for("update");
  return found;
}

function requireVerifiedEmail({ email, isEmailVerified }: OidcIdentity): string {
  if (email === null) throw new OidcRefused("email_missing");
  if (!isEmailVerified) throw new OidcRefused("email_unverified");
  return email;
}

/** The provider's name may be missing, or break the rule for names. */
function nameOf({ name }: OidcIdentity, email: string): string {
  const rule = finishSetupInput.shape.name;
  return rule.safeParse(name).data ?? email.split("@")[0]!.slice(0, 100);
}

function writeEntry(
  { tx, deps, client }: Pick<Admission, "tx" | "deps" | "client">,
  operator: Found,
  entry: AuditEntry,
): Promise<void> {
  return writeAudit(tx, { operator, client, at: deps.clock() }, entry);
}

const linkRefusals: Partial<Record<DashboardError["code"], OidcRefusal>> = {
  invitation_refused: "link_invalid",
  setup_refused: "link_invalid",
};

/** The verbs of one-time links throw errors of the dashboard. */
async function refusedAsOidc<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const refusal = error instanceof DashboardError ? linkRefusals[error.code] : undefined;
    throw refusal ? new OidcRefused(refusal) : error;
  }
}
