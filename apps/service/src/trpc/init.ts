import { DashboardError, projectInput, type Role } from "@stowage/schemas/dashboard";
import { initTRPC, tracked } from "@trpc/server";
import { authorize } from "#members/authorize.js";
import type { Context } from "./context.js";
import { describe, isExpected, toTrpcError } from "./errors.js";

/** Who may call a procedure: anybody, whoever is signed in, or whoever has at least this role in the project of the input. */
export type Audience = "nobody" | "operator" | Role;

export interface Meta {
  role: Audience;
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isDev: false,
    sse: {
      // Whoever has signed out or left the project meanwhile is refused when the browser connects again, which it does by itself.
      maxDurationMs: 60_000,
      ping: { enabled: true, intervalMs: 15_000 },
      client: { reconnectAfterInactivityMs: 40_000 },
    },
    errorFormatter({ shape, error }) {
      const stowage = describe(error);
      return { ...shape, message: stowage.detail, data: { ...shape.data, stowage } };
    },
  });

export const { router } = t;

const anybody = t.procedure.use(async ({ next }) => {
  const result = await next();
  if (!result.ok && isExpected(result.error.cause)) throw toTrpcError(result.error.cause);
  return result;
});

const signedIn = anybody.use(async ({ ctx, next }) => {
  const operator = await ctx.findOperator();
  if (!operator) throw new DashboardError("signed_out");
  return next({ ctx: { caller: { operator, from: ctx.from } } });
});

/** Who is signed in, has at least `role` in the project that the input names: judged before the rest of the input is read. */
const inProject = (role: Role) =>
  signedIn
    .meta({ role })
    .input(projectInput)
    .use(async ({ ctx, input, next }) => {
      const { projectRef } = input;
      const membership = await authorize(ctx.deps, ctx.caller.operator, { projectRef, role });
      return next({ ctx: { membership, caller: { ...ctx.caller, project: membership.project } } });
    });

/**
 * What every procedure begins with, and the one place where its role is declared and enforced. There is no other way to make
 * one: `t` stays in this file.
 */
export const procedureFor = {
  /** Anybody, signed in or not. */
  nobody: anybody.meta({ role: "nobody" }),
  /** Whoever is signed in. */
  operator: signedIn.meta({ role: "operator" }),
  viewer: inProject("viewer"),
  member: inProject("member"),
  owner: inProject("owner"),
} satisfies Record<Audience, unknown>;

/**
 * An event of a subscription whose id a browser names when it lost its connection, as what arrives there: tRPC's own type for it
 * has no name that declarations could use.
 */
export function eventOf<Data>(id: string, data: Data): { id: string; data: Data } {
  return tracked(id, data) as unknown as { id: string; data: Data };
}
