import { StowageError, uploadRequest } from "@stowage/schemas";
import type { Config } from "../config.js";
import { operatorError } from "../errors.js";
import { TimeoutError, withTimeout } from "./run-callback.js";

/** The signed-in user. The ID comes from the customer's session, never from the browser's request. */
export interface Caller {
  tenantId: string;
  /** The browser's request. Its signal aborts when the browser leaves. */
  request: Request;
}

const tenantIdSchema = uploadRequest.in.shape.tenant_id;

/**
 * Asks the customer's `tenant` callback who is signed in.
 *
 * @throws {StowageError} `unauthorized`; `internal_error` when `tenant` fails or returns something that is not an ID
 */
export async function identifyCaller(
  config: Pick<Config, "tenant" | "timeoutMs">,
  request: Request,
): Promise<Caller> {
  const answer = await callTenant(config, request);
  if (answer === null || answer === undefined || answer === "") throw new StowageError("unauthorized");
  const parsed = tenantIdSchema.safeParse(answer);
  if (parsed.success) return { tenantId: parsed.data, request };
  const problem =
    typeof answer === "string" ? parsed.error.issues[0]?.message : `it returned a ${typeof answer}`;
  throw operatorError(
    "internal_error",
    `tenant() must return the user's ID as a string, or null: ${problem}`,
  );
}

async function callTenant(
  { tenant, timeoutMs }: Pick<Config, "tenant" | "timeoutMs">,
  request: Request,
): Promise<unknown> {
  try {
    return await withTimeout(timeoutMs, () => tenant(request));
  } catch (thrown) {
    if (thrown instanceof TimeoutError) throw operatorError("internal_error", `tenant() ${thrown.message}`);
    // Unlike other callbacks, `tenant` cannot choose the error that the browser receives.
    throw operatorError("internal_error", "tenant() threw an error: return null when no user is signed in", {
      cause: thrown,
    });
  }
}
