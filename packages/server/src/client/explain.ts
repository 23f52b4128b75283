import { errorCatalogue, StowageError } from "@stowage/schemas";
import { keepServerSide } from "../server-side.js";

/**
 * A failure of the service client as server code is told it. Unlike a browser's user, whoever reads this can put it
 * right, so the sentence for the operator is the message.
 */
export function explain(thrown: unknown, signal: AbortSignal): unknown {
  // An abort is nobody's failure: it rejects with the signal's own reason, as `fetch` does.
  if (signal.aborted) return signal.reason;
  if (!(thrown instanceof StowageError)) return thrown;
  return keepServerSide(reworded(thrown));
}

function reworded(thrown: StowageError): StowageError {
  if (!(thrown.cause instanceof Error)) return thrown;
  // What has a sentence of its own says enough already.
  if (thrown.message !== errorCatalogue[thrown.code].detail) return thrown;
  const { message: detail, cause } = thrown.cause;
  // The only internal error of the service client is a key that the service refused.
  const code = thrown.code === "internal_error" ? "unauthorized" : thrown.code;
  const { retryAfterSeconds } = thrown;
  return new StowageError(code, { detail, retryAfterSeconds, ...(cause === undefined ? {} : { cause }) });
}
