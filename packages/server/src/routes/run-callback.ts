import { StowageError } from "@stowage/schemas";
import { fault, type FaultCode } from "../fault.js";
import { isServerSide } from "../server-side.js";
import { within } from "../within.js";

/**
 * Runs a callback of the customer's. A `StowageError` that it throws is its answer to the user and goes on as it is;
 * anything else that it throws, a failure of the client's among them, and a hang, is a fault that is told to the operator by
 * the callback's name.
 *
 * @param name such as `routes.avatar.onComplete`
 */
export async function runCallback<T>(
  { name, timeoutMs, code = "internal_error" }: { name: string; timeoutMs: number; code?: FaultCode },
  callback: () => T | Promise<T>,
): Promise<T> {
  const late = () => fault(code, `${name} did not answer within ${timeoutMs} ms`);
  try {
    return await within(timeoutMs, callback, late);
  } catch (thrown) {
    if (thrown instanceof StowageError && !isServerSide(thrown)) throw thrown;
    throw fault(code, `${name} threw an error`, { cause: thrown });
  }
}
