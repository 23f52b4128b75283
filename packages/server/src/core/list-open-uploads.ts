import { browserOpenUpload, calls, type BrowserOpenQuery, type BrowserOpenResponse } from "@stowage/schemas";
import { routeOf } from "../routes/route-label.js";
import { retryUnavailable, type RetryDelay } from "../service-api/retry.js";
import type { ServiceClient } from "../service-api/service-client.js";
import type { Caller } from "./identify-caller.js";

/**
 * Lists one page of the caller's own uploads by parts that are not complete, newest first. A page may be short or empty and still have
 * a next one. No option has to allow it: a user may continue what the user has started.
 *
 * @throws {StowageError} `invalid_request` for a cursor that no list made, `unavailable`
 */
export async function listOpenUploads(
  { service, retryDelayMs }: { service: ServiceClient; retryDelayMs: RetryDelay },
  { request: { signal }, tenantId }: Caller,
  { limit, cursor }: BrowserOpenQuery,
): Promise<BrowserOpenResponse> {
  const list = async (): Promise<BrowserOpenResponse> => {
    const { body } = await service.call(calls.listUploads, { tenant_id: tenantId, limit, cursor }, signal);
    const uploads = body.uploads.map((upload) =>
      browserOpenUpload.parse({ ...upload, route: routeOf(upload) }),
    );
    return { uploads, next_cursor: body.next_cursor };
  };
  return retryUnavailable(list, retryDelayMs, signal);
}
