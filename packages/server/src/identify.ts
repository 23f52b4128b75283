import { StowageError, uploadRequest } from "@stowage/schemas";
import type { Config } from "./config.js";
import { fault } from "./fault.js";

/** Who asks: known from the customer's own session, never from what the browser sent. */
export interface Caller {
  tenantId: string;
  /** Aborted when the browser has gone away. */
  signal: AbortSignal;
}

const tenantId = uploadRequest.in.shape.tenant_id;

/**
 * Asks the customer's `tenant` who is signed in.
 *
 * @throws {StowageError} `cross_site`, `unauthorized`, or `internal_error` when `tenant` itself fails
 */
export async function identify(
  { tenant, timeoutMs }: Pick<Config, "tenant" | "timeoutMs">,
  request: Request,
): Promise<Caller> {
  // Browsers set this header themselves; a page of another site must not act with this user's cookie.
  if (request.headers.get("Sec-Fetch-Site") === "cross-site") throw new StowageError("cross_site");
  const answer = await within(timeoutMs, async () => tenant(request));
  if (answer === null || answer === undefined || answer === "") throw new StowageError("unauthorized");
  const checked = tenantId.safeParse(answer);
  if (checked.success) return { tenantId: checked.data, signal: request.signal };
  const got =
    typeof answer === "string" ? checked.error.issues[0]?.message : `it returned a ${typeof answer}`;
  throw fault("internal_error", `tenant() must return the user's ID as a string, or null: ${got}`);
}

async function within<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(fault("internal_error", `tenant() did not answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([work(), timedOut]);
  } catch (thrown) {
    if (thrown instanceof StowageError && thrown.code === "internal_error") throw thrown;
    throw fault("internal_error", "tenant() threw an error: return null when nobody is signed in", {
      cause: thrown,
    });
  } finally {
    clearTimeout(timer);
  }
}
