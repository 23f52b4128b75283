import { DashboardError, projectInput, type Role } from "@stowage/operator-schemas";
import { initTRPC, tracked } from "@trpc/server";
import { inLane } from "#db/client.js";
import { isSessionActive } from "#auth/list-sessions.js";
import { refuseWithoutTwoFactor } from "#auth/require-two-factor.js";
import { authorize } from "#members/authorize.js";
import type { Context } from "./context.js";
import { isExpected, toErrorDetail, toTrpcError } from "./errors.js";

/**
 * What a procedure requires: nothing (`public`), a session (`setUp`), a session of an operator who has the second factor that the
 * installation may require (`operator`), the same of an administrator (`admin`), or also a role in the project of the input.
 */
type RequiredRole = "public" | "setUp" | "operator" | "admin" | Role;

export interface Meta {
  role: RequiredRole;
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isDev: false,
    sse: {
      // The browser reconnects by itself after this time. Operators who signed out or left the project are refused then.
      maxDurationMs: 60_000,
      ping: { enabled: true, intervalMs: 15_000 },
      client: { reconnectAfterInactivityMs: 40_000 },
    },
    errorFormatter({ shape, error }) {
      const stowage = toErrorDetail(error);
      return { ...shape, message: stowage.detail, data: { ...shape.data, stowage } };
    },
  });

export const { router } = t;

/** The lanes of the database: reads must not wait for changes, which may wait for locks. */
const lanes = { query: "list", subscription: "list", mutation: "work" } as const;

interface Progress {
  hasVerbRun: boolean;
}

const publicProcedure = t.procedure.use(async ({ ctx, type, next }) => {
  const { ipAddress } = ctx.client;
  const progress: Progress = { hasVerbRun: false };
  const result = await next({
    ctx: { allDeps: ctx.deps, deps: inLane(ctx.deps, lanes[type], `visitor ${ipAddress}`), progress },
  });
  if (!result.ok && isExpected(result.error.cause)) throw toTrpcError(result.error.cause, progress);
  return result;
});

const setUpProcedure = publicProcedure.use(async ({ ctx, type, next }) => {
  const session = await ctx.findSessionForSetUp();
  if (!session) throw new DashboardError("signed_out");
  const { operator, id: sessionId } = session;
  const deps = inLane(ctx.allDeps, lanes[type], `operator ${operator.id}`);
  return next({ ctx: { session, caller: { operator, sessionId, client: ctx.client }, deps } });
});

const operatorProcedure = setUpProcedure.use(async ({ ctx, type, next }) => {
  refuseWithoutTwoFactor(ctx.session);
  const result = await next();
  if (type !== "subscription" || !result.ok) return result;
  const reading = inLane(ctx.allDeps, "read", `operator ${ctx.caller.operator.id}`);
  const isActive = () => isSessionActive(reading, ctx.caller.sessionId);
  const events = result.data as AsyncIterable<unknown>;
  return { ...result, data: whileActive(events, isActive) };
});

/**
 * Passes the events of a subscription on, until its session has ended. An ended session gets no further event. tRPC reads the events
 * after the middleware of the procedure has returned, so errors are converted here.
 */
async function* whileActive(
  events: AsyncIterable<unknown>,
  isActive: () => Promise<boolean>,
): AsyncGenerator<unknown> {
  try {
    for await (const event of events) {
      if (!(await isActive())) throw new DashboardError("signed_out");
      yield event;
    }
  } catch (error) {
    throw isExpected(error) ? toTrpcError(error, { hasVerbRun: true }) : error;
  }
}

const adminProcedure = operatorProcedure.meta({ role: "admin" }).use(async ({ ctx, next }) => {
  if (!ctx.caller.operator.isAdmin) throw new DashboardError("admins_only");
  return next();
});

/** Checks the role before the rest of the input is parsed, so that an invalid input reveals nothing about the project. */
const projectProcedure = (role: Role) =>
  operatorProcedure
    .meta({ role })
    .input(projectInput)
    .use(async ({ ctx, type, input, next }) => {
      const { projectRef } = input;
      const reading = inLane(ctx.allDeps, "read", `operator ${ctx.caller.operator.id}`);
      const membership = await authorize(reading, ctx.caller.operator, { projectRef, role });
      const { project } = membership;
      const storage = await ctx.allDeps.storages.of(project.id);
      const deps = { ...inLane(ctx.allDeps, lanes[type], project.id), store: storage.store };
      return next({ ctx: { membership, caller: { ...ctx.caller, project }, storage, deps } });
    });

/** The last step before the verb: from here on, an error may come after a change. */
function startVerb<Result>({ ctx, next }: { ctx: { progress: Progress }; next: () => Result }): Result {
  ctx.progress.hasVerbRun = true;
  return next();
}

/**
 * The base of every procedure. Only these declare and enforce the required role. `t` is not exported, so no procedure can be
 * built without one.
 */
export const procedureFor = {
  /** No sign-in required. */
  public: publicProcedure.meta({ role: "public" }).use(startVerb),
  /** Every operator who is signed in, also one who must set up a second factor before anything else. */
  setUp: setUpProcedure.meta({ role: "setUp" }).use(startVerb),
  /** Every operator who is signed in. */
  operator: operatorProcedure.meta({ role: "operator" }).use(startVerb),
  /** Administrators of the installation. */
  admin: adminProcedure.use(startVerb),
  viewer: projectProcedure("viewer").use(startVerb),
  member: projectProcedure("member").use(startVerb),
  owner: projectProcedure("owner").use(startVerb),
} satisfies Record<RequiredRole, unknown>;

/**
 * An event of a subscription. After a lost connection the browser sends the id of the last event that it received.
 *
 * Returns tRPC's `tracked(id, data)` under the type that the browser receives. tRPC does not export its own type, so declaration
 * files could not name it.
 */
export function trackedEvent<Data>(id: string, data: Data): { id: string; data: Data } {
  return tracked(id, data) as unknown as { id: string; data: Data };
}
