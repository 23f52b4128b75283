import { StowageError, type calls } from "@stowage/schemas";
import type { CallAnswer, CallInput, ServiceAnswer, ServiceClient } from "./service-client.js";

/**
 * Asks the service for an upload of either kind, once. With a key the call is safe to repeat: the service answers the upload of the
 * first call with that key. If the key belongs to another request, because the file or its metadata has changed meanwhile, this opens
 * another upload without the key.
 *
 * @param key value of the header `Idempotency-Key`. Without it, each call that reaches the service reserves the size in the quota
 * @throws {StowageError} the service's refusal; `unavailable`
 */
export async function requestTicket<Made extends typeof calls.requestUpload | typeof calls.openUpload>(
  service: ServiceClient,
  call: Made,
  upload: CallInput<Made>,
  { key, signal }: { key: string | undefined; signal: AbortSignal },
): Promise<ServiceAnswer<CallAnswer<Made>>> {
  if (key === undefined) return service.call(call, upload, signal);
  try {
    return await service.call(call, upload, signal, { "Idempotency-Key": key });
  } catch (thrown) {
    const isOtherUpload = thrown instanceof StowageError && thrown.code === "idempotency_key_reused";
    if (!isOtherUpload) throw thrown;
    return service.call(call, upload, signal);
  }
}
