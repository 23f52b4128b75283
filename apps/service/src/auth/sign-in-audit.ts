import { AsyncLocalStorage } from "node:async_hooks";
import { eq } from "drizzle-orm";
import type { From } from "#audit/caller.js";
import { type AuditEntry, writeAudit } from "#audit/write-audit.js";
import { inTransaction, type Queries, type Transaction } from "#db/client.js";
import { operators, operatorSessions } from "#db/schema/index.js";
import type { SignInCall } from "./sign-in.js";

/** The call that is being served. */
export interface ServedCall {
  call: SignInCall;
  from: From;
  /** Whom the library has looked up. */
  subject?: { id: string; email: string };
  /** Until when their second factor takes no codes. */
  lockedUntil?: Date | null;
}

/** Which call a query of the library belongs to. */
export const servedCall = new AsyncLocalStorage<ServedCall>();

/** What the library gives its adapter to write. */
export interface WriteData {
  model: string;
  data?: Record<string, unknown>;
  update?: Record<string, unknown>;
  where?: { field: string; value: unknown }[];
}

export interface Told {
  /** Null where only the written row says it. */
  operatorId: string | null;
  action: AuditEntry["action"] | "operator.signed_in_or_half";
}

/** What a write means for the audit log, if anything. */
export function whatToTell(name: string, data: WriteData): Told | undefined {
  const { call } = servedCall.getStore() ?? {};
  if (data.model === "session" && name === "create") {
    const operatorId = String(data.data?.["userId"]);
    if (call === "/sign-in/email") return { operatorId, action: "operator.signed_in_or_half" };
    if (call?.startsWith("/two-factor/verify-")) return { operatorId, action: "operator.signed_in" };
  }
  if (data.model === "session" && name === "delete" && call === "/sign-out")
    return { operatorId: null, action: "operator.signed_out" };
  if (!name.startsWith("update")) return undefined;
  if (data.model === "account" && data.update?.["password"] !== undefined)
    return { operatorId: null, action: "operator.password_changed" };
  if (data.model === "user" && data.update?.["twoFactorEnabled"] !== undefined) {
    const action = data.update["twoFactorEnabled"]
      ? "operator.two_factor_enabled"
      : "operator.two_factor_disabled";
    return { operatorId: valueOf(data, "id"), action };
  }
  return undefined;
}

/** Whose session is about to go; null when it has gone already. */
export async function ownerOfSession(tx: Transaction, data: WriteData): Promise<string | null> {
  const [session] = await tx
    .select({ operatorId: operatorSessions.operatorId })
    .from(operatorSessions)
    .where(eq(operatorSessions.token, valueOf(data, "token")))
    .for("update");
  return session?.operatorId ?? null;
}

/** Writes the line, in the transaction of what it tells of. */
export async function tell(
  tx: Transaction,
  at: Date,
  { operatorId, action }: Told & { operatorId: string },
): Promise<void> {
  const [operator] = await tx
    .select({ id: operators.id, email: operators.email, twoFactorEnabled: operators.twoFactorEnabled })
    .from(operators)
    .where(eq(operators.id, operatorId));
  if (!operator) throw new Error("something was written about an operator who is not there");
  const { from } = servedCall.getStore() ?? { from: { ipAddress: "", userAgent: "" } };
  // With a second factor the password alone opens nothing: the library ends this session again before it answers.
  const half = operator.twoFactorEnabled ? "operator.password_accepted" : "operator.signed_in";
  await writeAudit(
    tx,
    { operator, from, at },
    { projectId: null, action: action === "operator.signed_in_or_half" ? half : action },
  );
}

const EMAIL_LENGTH = 254;

/**
 * Writes that a password or a code was refused. Anybody can have this line written, so three things bound it: a try beyond the
 * rate of its address is refused before it is looked at, and is not told of; the e-mail as given is cut; and the forgetter
 * takes these lines away after 90 days.
 *
 * @param email as it was given, for a password; for a code the library has looked up whose it should be, unless it
 * is of somebody who is signed in and tries their new app
 * @throws {StowageError} `unavailable`
 */
export async function tellOfRefusal(
  deps: { db: Queries; clock: () => Date },
  { call, from, subject }: ServedCall,
  email: unknown,
): Promise<void> {
  const isPassword = call === "/sign-in/email";
  if (!isPassword && !subject) return;
  const operator = subject ?? { id: null, email: String(email).slice(0, EMAIL_LENGTH) };
  await inTransaction(deps.db, (_, tx) =>
    writeAudit(
      tx,
      { operator, from, at: deps.clock() },
      {
        projectId: null,
        action: "operator.sign_in_refused",
        details: { step: isPassword ? "password" : "code" },
      },
    ),
  );
}

function valueOf(data: WriteData, field: string): string {
  return String(data.where?.find((term) => term.field === field)?.value);
}
