import { calls, StowageError, type BrowserUsageResponse } from "@stowage/schemas";
import type { Config } from "../config.js";
import { retryUnavailable, type RetryDelay } from "../service-api/retry.js";
import type { ServiceClient } from "../service-api/service-client.js";
import type { Caller } from "./identify-caller.js";
import { isAllowed } from "./is-allowed.js";

/**
 * Reads how many bytes the caller stores, and the caller's quota, if `allowUsage` allows it. A user who has stored nothing gets zeros.
 *
 * @throws {StowageError} `usage_refused`, `unavailable`
 */
export async function readUsage(
  deps: Pick<Config, "allowUsage" | "timeoutMs"> & { service: ServiceClient; retryDelayMs: RetryDelay },
  { request, tenantId }: Caller,
): Promise<BrowserUsageResponse> {
  if (!(await isAllowed(deps, "allowUsage", { request, tenantId }))) throw new StowageError("usage_refused");
  const { signal } = request;
  const read = () => deps.service.call(calls.readUsage, { tenant_id: tenantId }, signal);
  return (await retryUnavailable(read, deps.retryDelayMs, signal)).body;
}
