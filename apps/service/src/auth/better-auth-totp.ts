import { createOTP } from "@better-auth/utils/otp";
import { type AuthMiddleware, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { constantTimeEqual, symmetricDecrypt } from "better-auth/crypto";
import { and, eq, isNull, lt, or } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { operatorTwoFactors } from "#db/schema/index.js";

const CALL = "/two-factor/verify-totp";
/** The library's cookie of a sign-in whose password was accepted. */
const CHALLENGE_COOKIE = "two_factor";
/** No code has this form, so the library refuses it and counts the attempt. */
const NO_CODE = "used";

/**
 * Makes better-auth accept each code of an authenticator app once, as RFC 6238, section 5.2 requires
 * (https://www.rfc-editor.org/rfc/rfc6238#section-5.2). The library itself accepts a code as often as it is sent, for about 90 seconds.
 *
 * Runs before the call that checks a code: in a sign-in, and when an operator sets up the app. It looks for the time step of the
 * code and marks it as used. Every other code is replaced, so the library cannot accept a code that was not marked.
 */
export function acceptCodesOnce({ db }: { db: Queries }): AuthMiddleware {
  return createAuthMiddleware(async (ctx) => {
    const { code } = Object(ctx.body) as { code?: unknown };
    if (ctx.path !== CALL || typeof code !== "string") return undefined;
    const operatorId = await findOperatorId(ctx);
    const secret = operatorId && (await readSecret(db, operatorId));
    // The library refuses the call itself: there is no session or sign-in, or the operator has no authenticator app.
    if (!secret) return undefined;
    const key = await symmetricDecrypt({ key: ctx.context.secretConfig, data: secret });
    const step = await findStep(key, code);
    if (step !== null && (await useStep(db, { operatorId, secret, step }))) return undefined;
    return { context: { body: { ...ctx.body, code: NO_CODE } } };
  });
}

type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** Finds the operator of the session, or else of the sign-in whose password was accepted. */
async function findOperatorId(ctx: HookContext): Promise<string | null> {
  const session = await getSessionFromCtx(ctx);
  if (session) return session.user.id;
  const { name } = ctx.context.createAuthCookie(CHALLENGE_COOKIE);
  const challenge = await ctx.getSignedCookie(name, ctx.context.secret);
  if (!challenge) return null;
  return (await ctx.context.internalAdapter.findVerificationValue(challenge))?.value ?? null;
}

async function readSecret(db: Queries, operatorId: string): Promise<string | null> {
  const [row] = await db.run((drizzle) =>
    drizzle
      .select({ secret: operatorTwoFactors.secret })
      .from(operatorTwoFactors)
      .where(eq(operatorTwoFactors.operatorId, operatorId)),
  );
  return row?.secret ?? null;
}

const STEP_MS = 30_000;
/** The library accepts the code of the current time step, and the codes of the steps before and after it. */
const OFFSETS = [-1, 0, 1];

/** Uses the machine's clock, as the library does when it checks the code again. */
async function findStep(key: string, code: string): Promise<number | null> {
  const now = Math.floor(Date.now() / STEP_MS);
  const otp = createOTP(key);
  let found: number | null = null;
  for (const step of OFFSETS.map((offset) => now + offset)) {
    if (constantTimeEqual(await otp.hotp(step), code)) found ??= step;
  }
  return found;
}

/**
 * Marks a time step as used, together with all earlier ones. Of several calls at the same time, on any replica, exactly one gets
 * true: they wait for each other's change of the row and then see its step.
 */
async function useStep(
  db: Queries,
  { operatorId, secret, step }: { operatorId: string; secret: string; step: number },
): Promise<boolean> {
  const { lastUsedStep } = operatorTwoFactors;
  const marked = await db.run((drizzle) =>
    drizzle
      .update(operatorTwoFactors)
      .set({ lastUsedStep: step })
      .where(
        and(
          eq(operatorTwoFactors.operatorId, operatorId),
          // The app may have been set up anew since the secret was read.
          eq(operatorTwoFactors.secret, secret),
          or(isNull(lastUsedStep), lt(lastUsedStep, step)),
        ),
      )
      .returning({ id: operatorTwoFactors.id }),
  );
  return marked.length > 0;
}
