import { StowageError, uploadRequest } from "@stowage/schemas";
import type { Config } from "./config.js";
import { fault } from "./fault.js";
import type { Stop } from "./limit-time.js";
import { refuseCrossSite } from "./origin.js";
import { within } from "./within.js";

/** Who asks: known from the customer's own session, never from what the browser sent. */
export interface Caller {
  tenantId: string;
  request: Request;
  /** Comes when the browser has gone away. */
  leaving: Stop;
}

const tenantId = uploadRequest.in.shape.tenant_id;

/**
 * Asks the customer's `tenant` who is signed in.
 *
 * @throws {StowageError} `cross_site`, `unauthorized`, or `internal_error` when `tenant` itself fails
 */
export async function identify(
  config: Pick<Config, "tenant" | "timeoutMs" | "allowedOrigins">,
  request: Request,
  leaving: Stop = request.signal,
): Promise<Caller> {
  refuseCrossSite(config, request);
  const answer = await askTenant(config, request);
  if (answer === null || answer === undefined || answer === "") throw new StowageError("unauthorized");
  const checked = tenantId.safeParse(answer);
  if (checked.success) {
    return { tenantId: checked.data, request, leaving };
  }
  const got =
    typeof answer === "string" ? checked.error.issues[0]?.message : `it returned a ${typeof answer}`;
  throw fault("internal_error", `tenant() must return the user's ID as a string, or null: ${got}`);
}

async function askTenant(
  { tenant, timeoutMs }: Pick<Config, "tenant" | "timeoutMs">,
  request: Request,
): Promise<unknown> {
  let late: Error | undefined;
  try {
    return await within(
      timeoutMs,
      () => tenant(request),
      () => (late = fault("internal_error", `tenant() did not answer within ${timeoutMs} ms`)),
    );
  } catch (thrown) {
    if (late !== undefined && thrown === late) throw thrown;
    throw fault("internal_error", "tenant() threw an error: return null when nobody is signed in", {
      cause: thrown,
    });
  }
}
