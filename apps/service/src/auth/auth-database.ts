import { type DB, drizzleAdapter } from "better-auth/adapters/drizzle";
import type { BetterAuthOptions } from "better-auth/minimal";
import { MAX_USER_AGENT_LENGTH } from "#audit/write-audit.js";
import type { Drizzle, Queries, Transaction } from "#db/client.js";
import {
  operatorAccounts,
  operatorRateLimits,
  operators,
  operatorSessions,
  operatorTwoFactors,
  operatorVerifications,
} from "#db/schema/index.js";
import { rememberDatabaseErrors } from "./database-errors.js";
import { deleteSessions, lockOperator } from "./delete-sessions.js";
import {
  type AdapterQuery,
  auditSignInEvent,
  type CallContext,
  callContext,
  changesSignIn,
  findSessionOwner,
  isSignIn,
  refuseOutdatedSignIn,
  signInEventOf,
} from "./sign-in-audit.js";

const models = {
  user: operators,
  session: operatorSessions,
  account: operatorAccounts,
  verification: operatorVerifications,
  twoFactor: operatorTwoFactors,
  rateLimit: operatorRateLimits,
};

type Adapter = ReturnType<ReturnType<typeof drizzleAdapter>>;
type AdapterMethod = (query: AdapterQuery) => Promise<unknown>;

/**
 * Connects better-auth to the service's database. Each of its queries runs through {@link Queries.run}, so it has the same
 * deadline, queue and `unavailable` error as all other queries, and uses the current connection pool. A write that belongs into the
 * audit log and its audit entry share one transaction, which may be one of the library's own.
 */
export function createAuthDatabase(deps: { db: Queries; clock: () => Date; isPasswordOff: boolean }) {
  return (options: BetterAuthOptions): Adapter => {
    const createAdapter = (drizzle: DB): Adapter =>
      drizzleAdapter(drizzle, { provider: "pg", schema: models, transaction: false })(options);
    const adapters = new WeakMap<Drizzle | Transaction, Adapter>();
    const adapterFor = (drizzle: Drizzle | Transaction) => {
      const adapter = adapters.get(drizzle) ?? createAdapter(drizzle);
      adapters.set(drizzle, adapter);
      return adapter;
    };

    const run = <T>(work: (drizzle: Drizzle) => Promise<T>) => rememberDatabaseErrors(deps.db.run(work));
    const query = async (adapter: Adapter, name: string, given: AdapterQuery) => {
      const result = await methodOf(adapter, name)(withClient(name, given));
      rememberLookUp(name, given, result);
      return result;
    };
    const callIn = async (tx: Transaction, name: string, given: AdapterQuery) => {
      const event = signInEventOf(name, given);
      const adapter = adapterFor(tx);
      if (!event) {
        const ownerId = ownerOfDeletedSessions(name, given);
        if (ownerId !== null) await lockOperator(tx, ownerId);
        return query(adapter, name, given);
      }
      if (isSignIn(event)) await refuseOutdatedSignIn(tx, event, deps.isPasswordOff);
      const knownId = name === "delete" ? await findSessionOwner(tx, given) : event.operatorId;
      const result = await methodOf(adapter, name)(withClient(name, given));
      const operatorId = knownId ?? operatorIdOf(result);
      if (operatorId === null) return result;
      if (changesSignIn(event.type)) {
        await deleteSessions(tx, operatorId, { except: callContext.getStore()?.session?.id });
      }
      await auditSignInEvent(tx, deps.clock(), { ...event, operatorId });
      return result;
    };
    const call = (name: string) => (given: AdapterQuery) =>
      run((drizzle) =>
        signInEventOf(name, given)
          ? drizzle.transaction((tx) => callIn(tx, name, given))
          : query(adapterFor(drizzle), name, given),
      );
    const transaction = <T>(work: (adapter: Adapter) => Promise<T>) =>
      run((drizzle) =>
        drizzle.transaction((tx) => work(withMethods((name) => (given) => callIn(tx, name, given)))),
      );
    const withMethods = (
      methodNamed: (name: string) => AdapterMethod,
      own: Partial<Pick<Adapter, "transaction">> = {},
    ): Adapter =>
      new Proxy(createAdapter({}), {
        get(adapter, name: keyof Adapter) {
          if (name === "transaction" && own.transaction) return own.transaction;
          return typeof adapter[name] === "function" ? methodNamed(name) : adapter[name];
        },
      });
    return withMethods(call, { transaction });
  };
}

/** Every method of the adapter takes one object and returns a promise. Their declared types differ in that object only. */
function methodOf(adapter: Adapter, name: string): AdapterMethod {
  return (adapter as unknown as Record<string, AdapterMethod>)[name]!;
}

/**
 * Stores the same address and browser with a new session as with its audit entry. The library would store the network of an IPv6 address.
 * A change of the password or the second factor replaces the session, so the new one keeps the limits of the old one.
 */
function withClient(method: string, query: AdapterQuery): AdapterQuery {
  const context = callContext.getStore();
  if (!context || method !== "create" || query.model !== "session") return query;
  const { ipAddress, userAgent: fullUserAgent } = context.client;
  const userAgent = fullUserAgent.slice(0, MAX_USER_AGENT_LENGTH);
  return { ...query, data: { ...query.data, ipAddress, userAgent, ...limitsOfNewSession(context) } };
}

function limitsOfNewSession({ call, oidc, session }: CallContext): Record<string, unknown> {
  if (call === "/callback/oidc") return { signedInBy: "oidc", ...oidc?.session };
  if (call === "/sign-in/email" || !session) return {};
  const { signedInBy, providerSecondFactor, endsAt } = session;
  return { signedInBy, providerSecondFactor, endsAt };
}

/**
 * Remembers the operator whom the library looked up and until when they are locked out, which a refusal needs, and the session of
 * the call.
 */
function rememberLookUp(method: string, { model }: AdapterQuery, result: unknown): void {
  const context = callContext.getStore();
  if (!context || method !== "findOne" || !result) return;
  if (model === "user") context.operator = result as NonNullable<CallContext["operator"]>;
  if (model === "session") context.session = result as NonNullable<CallContext["session"]>;
  if (model === "twoFactor") context.lockedUntil = (result as { lockedUntil: Date | null }).lockedUntil;
}

/** The operator all of whose sessions a query deletes, or null. */
function ownerOfDeletedSessions(method: string, { model, where }: AdapterQuery): string | null {
  if (method !== "deleteMany" || model !== "session") return null;
  const owner = where?.find(({ field }) => field === "userId")?.value;
  return typeof owner === "string" ? owner : null;
}

function operatorIdOf(row: unknown): string | null {
  const { userId } = Object(row) as { userId?: unknown };
  return typeof userId === "string" ? userId : null;
}
