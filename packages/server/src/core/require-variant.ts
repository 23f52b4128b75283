import { calls, StowageError } from "@stowage/schemas";
import { retryCall, retryUnavailable, type RetryDelay, type RetryPolicy } from "../service-api/retry.js";
import type { ServiceClient } from "../service-api/service-client.js";
import type { Caller } from "./identify-caller.js";

/** A variant takes a second or two. The page asks again if it takes longer. */
const RETRIES = 5;
const MAX_DELAY_MS = 2_000;

/**
 * Waits until the variant of a stored file is made, for some seconds. A file that it cannot be made of is deleted.
 *
 * @throws {StowageError} `image_unreadable` for a deleted file; `variant_pending` if the variant is not made yet; `preset_not_found`,
 * `file_quarantined`, `unavailable`
 */
export async function requireVariant(
  { service, retryDelayMs }: { service: ServiceClient; retryDelayMs: RetryDelay },
  { request: { signal }, tenantId }: Caller,
  { filePath, preset }: { filePath: string; preset: string },
): Promise<void> {
  const ownFile = { file_path: filePath, tenant_id: tenantId };
  const sign = () => service.call(calls.createDownload, { ...ownFile, variant: preset }, signal);
  const policy: RetryPolicy = {
    retries: RETRIES,
    delayMs: retryDelayMs,
    maxDelayMs: MAX_DELAY_MS,
    codes: ["variant_pending", "file_not_scanned", "unavailable"],
  };
  try {
    await retryCall(sign, policy, signal);
  } catch (thrown) {
    const { code, retryAfterSeconds } = thrown as Partial<StowageError>;
    // For the page, a scan is one more thing that the variant waits for.
    if (code === "file_not_scanned") {
      throw new StowageError("variant_pending", { retryAfterSeconds, cause: thrown });
    }
    if (code !== "variant_impossible" && code !== "variant_failed") throw thrown;
    const remove = () => service.call(calls.deleteFiles, ownFile, signal);
    await retryUnavailable(remove, retryDelayMs, signal);
    throw new StowageError("image_unreadable", { cause: thrown });
  }
}
