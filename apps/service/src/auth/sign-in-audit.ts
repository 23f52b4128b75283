import { AsyncLocalStorage } from "node:async_hooks";
import { DashboardError } from "@stowage/operator-schemas";
import { and, eq } from "drizzle-orm";
import type { ClientInfo } from "#audit/caller.js";
import { type AuditEntry, writeAudit } from "#audit/write-audit.js";
import { inTransaction, type Queries, type Transaction } from "#db/client.js";
import { operatorAccounts, operators, operatorSessions } from "#db/schema/index.js";
import type { OidcIntent, OidcRefused } from "./oidc.js";
import type { SignInCall } from "./sign-in.js";

/** State of one sign-in call. The library's queries cannot carry it, so it travels in {@link callContext}. */
export interface CallContext {
  call: SignInCall | "/callback/oidc";
  client: ClientInfo;
  /** Set when the OpenID Connect provider has answered. */
  oidc?: {
    intent?: OidcIntent;
    /** The address that the provider has named. */
    email?: string | null;
    session?: { providerSecondFactor: boolean; endsAt: Date };
    admitted?: { to: string; email: string };
    refused?: OidcRefused;
    /** Says for the log why the answer was refused, if it was. */
    explain?: () => string;
  };
  /** The operator whom the library looked up last. `account` has the password's hash if the call checks the password. */
  operator?: { id: string; email: string; twoFactorEnabled: boolean; account?: { password: string }[] };
  /** Until this time the operator's second factor accepts no codes. */
  lockedUntil?: Date | null;
  /** The session that makes the call. */
  session?: { id: string; signedInBy: string; providerSecondFactor: boolean; endsAt: Date | null };
}

/** Tells which sign-in call a query of the library belongs to. */
export const callContext = new AsyncLocalStorage<CallContext>();

/** The parameter of every method of better-auth's database adapter. */
export interface AdapterQuery {
  model: string;
  data?: Record<string, unknown>;
  update?: Record<string, unknown>;
  where?: { field: string; value: unknown }[];
}

/** A write of the library that belongs into the audit log. */
interface SignInEvent {
  /** Null if only the written row names the operator. */
  operatorId: string | null;
  /** `password_verified` ends the sign-in only if the operator has no second factor. */
  type: AuditEntry["action"] | "password_verified";
  details?: AuditEntry["details"];
}

/** Returns the audit event that a query of the library stands for, or undefined. */
export function signInEventOf(method: string, query: AdapterQuery): SignInEvent | undefined {
  const { call } = callContext.getStore() ?? {};
  if (query.model === "session" && method === "create") {
    const operatorId = String(query.data?.["userId"]);
    if (call === "/sign-in/email") return { operatorId, type: "password_verified" };
    if (call === "/callback/oidc") return { operatorId, type: "operator.signed_in", details: { by: "oidc" } };
    if (call?.startsWith("/two-factor/verify-")) return { operatorId, type: "operator.signed_in" };
  }
  if (query.model === "session" && method === "delete" && call === "/sign-out") {
    return { operatorId: null, type: "operator.signed_out" };
  }
  if (!method.startsWith("update")) return undefined;
  if (query.model === "account" && query.update?.["password"] !== undefined) {
    return { operatorId: null, type: "operator.password_changed" };
  }
  if (query.model === "user" && query.update?.["twoFactorEnabled"] !== undefined) {
    const type = query.update["twoFactorEnabled"]
      ? "operator.two_factor_enabled"
      : "operator.two_factor_disabled";
    return { operatorId: valueOf(query, "id"), type };
  }
  return undefined;
}

/** Tells whether an event signs an operator in, or accepts their password. */
export function isSignIn(event: SignInEvent): event is SignInEvent & { operatorId: string } {
  return event.type === "password_verified" || event.type === "operator.signed_in";
}

/**
 * Refuses a sign-in if the password, the second factor or the connection with the provider has changed since the library read them.
 * Such a change ends all sessions, so a sign-in that began before it must not create one after it. The change waits for the locks of
 * this transaction, and then ends the new session too.
 *
 * @param isPasswordOff refuses passwords, except those of operators with an exception
 * @throws {DashboardError} `wrong_credentials`, `password_sign_in_off`
 */
export async function refuseOutdatedSignIn(
  tx: Transaction,
  { operatorId }: { operatorId: string },
  isPasswordOff: boolean,
): Promise<void> {
  const { call, operator: known } = callContext.getStore() ?? {};
  const [operator] = await tx
    .select({ twoFactorEnabled: operators.twoFactorEnabled, mayUsePassword: operators.mayUsePassword })
    .from(operators)
    .where(eq(operators.id, operatorId))
    .for("share");
  const isByProvider = call === "/callback/oidc";
  const accounts = await tx
    .select({ password: operatorAccounts.password })
    .from(operatorAccounts)
    .where(
      and(
        eq(operatorAccounts.operatorId, operatorId),
        eq(operatorAccounts.providerId, isByProvider ? "oidc" : "credential"),
      ),
    )
    .for("share");
  const isUnchanged = isByProvider
    ? accounts.length > 0
    : known === undefined ||
      (operator?.twoFactorEnabled === known.twoFactorEnabled &&
        (known.account === undefined ||
          known.account.some(({ password }) => password === accounts[0]?.password)));
  if (!isUnchanged) throw new DashboardError("wrong_credentials");
  if (isPasswordOff && !isByProvider && !operator?.mayUsePassword)
    throw new DashboardError("password_sign_in_off");
}

/** Tells whether an event changes what a sign-in requires. It then ends the operator's other sessions. */
export function changesSignIn(type: SignInEvent["type"]): boolean {
  return (
    type === "operator.password_changed" ||
    type === "operator.two_factor_enabled" ||
    type === "operator.two_factor_disabled"
  );
}

/** Finds the operator of a session that is about to be deleted, or null if the session is gone. */
export async function findSessionOwner(tx: Transaction, query: AdapterQuery): Promise<string | null> {
  const [session] = await tx
    .select({ operatorId: operatorSessions.operatorId })
    .from(operatorSessions)
    .where(eq(operatorSessions.token, valueOf(query, "token")))
    .for("update");
  return session?.operatorId ?? null;
}

/** Writes the audit entry of an event. Call it in the transaction of the write that the event stands for. */
export async function auditSignInEvent(
  tx: Transaction,
  at: Date,
  { operatorId, type, details }: SignInEvent & { operatorId: string },
): Promise<void> {
  const [operator] = await tx
    .select({ id: operators.id, email: operators.email, twoFactorEnabled: operators.twoFactorEnabled })
    .from(operators)
    .where(eq(operators.id, operatorId));
  if (!operator) throw new Error("The operator of an audit entry does not exist");
  const { client } = callContext.getStore() ?? { client: { ipAddress: "", userAgent: "" } };
  // With a second factor the password is not enough: the library deletes this session again before it answers.
  const afterPassword = operator.twoFactorEnabled ? "operator.password_accepted" : "operator.signed_in";
  const action = type === "password_verified" ? afterPassword : type;
  await writeAudit(tx, { operator, client, at }, { projectId: null, action, ...(details && { details }) });
}

const MAX_EMAIL_LENGTH = 254;

/**
 * Writes an audit entry for a refused password or code. Any caller can cause such entries, so their number and size are limited:
 * the rate limit refuses further attempts before this is called, the e-mail address is cut, and `deleteExpired` deletes the
 * entries after 90 days.
 *
 * Writes no entry for a refused code if the library looked up no operator. This happens when an operator who is already signed in
 * sets up an authenticator app and enters a wrong code.
 *
 * @param email the e-mail address as the caller sent it, used for a refused password
 * @throws {StowageError} `unavailable`
 */
export async function auditRefusedSignIn(
  deps: { db: Queries; clock: () => Date },
  { call, client, operator }: CallContext,
  email: unknown,
): Promise<void> {
  const isPassword = call === "/sign-in/email";
  if (!isPassword && !operator) return;
  const subject = operator ?? { id: null, email: String(email).slice(0, MAX_EMAIL_LENGTH) };
  await inTransaction(deps.db, (_, tx) =>
    writeAudit(
      tx,
      { operator: subject, client, at: deps.clock() },
      {
        projectId: null,
        action: "operator.sign_in_refused",
        details: { step: isPassword ? "password" : "code" },
      },
    ),
  );
}

/**
 * Writes an audit entry for a person whom the provider has identified and who was refused. A sign-in that the provider itself has not
 * confirmed writes none.
 *
 * @throws {StowageError} `unavailable`
 */
export async function auditRefusedOidc(
  deps: { db: Queries; clock: () => Date },
  { client, oidc }: CallContext,
  reason: OidcRefused["refusal"],
): Promise<void> {
  if (!oidc?.intent) return;
  const operator = { id: oidc.refused?.operatorId ?? null, email: oidc.email ?? "" };
  await inTransaction(deps.db, (_, tx) =>
    writeAudit(
      tx,
      { operator, client, at: deps.clock() },
      { projectId: null, action: "operator.sign_in_refused", details: { step: "oidc", reason } },
    ),
  );
}

function valueOf(query: AdapterQuery, field: string): string {
  return String(query.where?.find((term) => term.field === field)?.value);
}
