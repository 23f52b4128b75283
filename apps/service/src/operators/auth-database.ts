import { AsyncLocalStorage } from "node:async_hooks";
import { type DB, drizzleAdapter } from "better-auth/adapters/drizzle";
import type { BetterAuthOptions } from "better-auth/minimal";
import { eq } from "drizzle-orm";
import type { From } from "#audit/caller.js";
import { type AuditEntry, writeAudit } from "#audit/write-audit.js";
import type { Drizzle, Queries, Transaction } from "#db/client.js";
import {
  operatorAccounts,
  operatorRateLimits,
  operators,
  operatorSessions,
  operatorTwoFactors,
  operatorVerifications,
} from "#db/schema/index.js";
import type { SignInCall } from "./sign-in.js";

const models = {
  user: operators,
  session: operatorSessions,
  account: operatorAccounts,
  verification: operatorVerifications,
  twoFactor: operatorTwoFactors,
  rateLimit: operatorRateLimits,
};

type Adapter = ReturnType<ReturnType<typeof drizzleAdapter>>;
type Method = (data: WriteData) => Promise<unknown>;
interface WriteData {
  model: string;
  data?: Record<string, unknown>;
  update?: Record<string, unknown>;
  where?: { field: string; value: unknown }[];
}

/** The call that is being served, for the audit log. */
export const servedCall = new AsyncLocalStorage<{ call: SignInCall; from: From }>();

/**
 * Gives better-auth our database: each of its queries goes through {@link Queries.run}, and so has the same deadline, line and
 * `unavailable` as all others, whatever pool is alive by then. What the audit log tells of is written with its line in one
 * transaction.
 */
export function authDatabase(deps: { db: Queries; clock: () => Date }) {
  return (options: BetterAuthOptions): Adapter => {
    const over = (drizzle: DB): Adapter =>
      drizzleAdapter(drizzle, { provider: "pg", schema: models, transaction: false })(options);
    const adapters = new WeakMap<Drizzle, Adapter>();
    const adapterOf = (drizzle: Drizzle) => {
      const made = adapters.get(drizzle) ?? over(drizzle);
      adapters.set(drizzle, made);
      return made;
    };

    const call = (name: string) => (data: WriteData) =>
      deps.db.run((drizzle) => {
        const told = whatToTell(name, data);
        if (!told) return method(adapterOf(drizzle), name)(data);
        return drizzle.transaction(async (tx) => {
          const result = await method(over(tx), name)(data);
          await tell(tx, deps.clock(), { ...told, operatorId: told.operatorId ?? operatorOf(result) });
          return result;
        });
      });
    const transaction = <T>(work: (adapter: Adapter) => Promise<T>) =>
      deps.db.run((drizzle) => drizzle.transaction((tx) => work(over(tx))));

    return new Proxy(over({}), {
      get(adapter, name: keyof Adapter) {
        if (name === "transaction") return transaction;
        return typeof adapter[name] === "function" ? call(name) : adapter[name];
      },
    });
  };
}

/** Every method of the adapter takes one object and gives a promise; their own types differ in what is in it. */
function method(adapter: Adapter, name: string): Method {
  return (adapter as unknown as Record<string, Method>)[name]!;
}

interface Told {
  /** Null where only the written row says it. */
  operatorId: string | null;
  action: AuditEntry["action"] | "operator.signed_in_or_half";
}

/** What a write means for the audit log, if anything. */
function whatToTell(name: string, data: WriteData): Told | undefined {
  const { call } = servedCall.getStore() ?? {};
  if (name === "create" && data.model === "session") {
    const operatorId = String(data.data?.["userId"]);
    if (call === "/sign-in/email") return { operatorId, action: "operator.signed_in_or_half" };
    if (call?.startsWith("/two-factor/verify-")) return { operatorId, action: "operator.signed_in" };
  }
  if (!name.startsWith("update")) return undefined;
  if (data.model === "account" && data.update?.["password"] !== undefined)
    return { operatorId: null, action: "operator.password_changed" };
  if (data.model === "user" && data.update?.["twoFactorEnabled"] !== undefined) {
    const action = data.update["twoFactorEnabled"]
      ? "operator.two_factor_enabled"
      : "operator.two_factor_disabled";
    return { operatorId: String(data.where?.find((term) => term.field === "id")?.value), action };
  }
  return undefined;
}

function operatorOf(row: unknown): string {
  const { userId } = Object(row) as { userId?: unknown };
  return String(userId);
}

async function tell(
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
