import { type DB, drizzleAdapter } from "better-auth/adapters/drizzle";
import type { BetterAuthOptions } from "better-auth/minimal";
import type { Drizzle, Queries } from "#db/client.js";
import {
  operatorAccounts,
  operatorRateLimits,
  operators,
  operatorSessions,
  operatorTwoFactors,
  operatorVerifications,
} from "#db/schema/index.js";
import { ownerOfSession, servedCall, tell, whatToTell, type WriteData } from "./sign-in-audit.js";

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
        if (!told)
          return method(adapterOf(drizzle), name)(data).then((result) => noteSubject(name, data, result));
        return drizzle.transaction(async (tx) => {
          const owner = name === "delete" ? await ownerOfSession(tx, data) : told.operatorId;
          const result = await method(over(tx), name)(data);
          const operatorId = owner ?? operatorOf(result);
          if (operatorId !== null) await tell(tx, deps.clock(), { ...told, operatorId });
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

/** Keeps in mind whom the library has looked up: a refusal is told of whoever it was, and for how long it holds. */
function noteSubject(name: string, { model }: WriteData, result: unknown): unknown {
  const served = servedCall.getStore();
  if (!served || name !== "findOne" || !result) return result;
  if (model === "user") served.subject = result as { id: string; email: string };
  if (model === "twoFactor") served.lockedUntil = (result as { lockedUntil: Date | null }).lockedUntil;
  return result;
}

function operatorOf(row: unknown): string | null {
  const { userId } = Object(row) as { userId?: unknown };
  return typeof userId === "string" ? userId : null;
}
