import type { Runtime } from "../runtime.js";
import type { UploadTransport } from "../transport.js";
import { callWithRetry, type RetryOptions } from "./call-with-retry.js";
import { createConnection } from "./connection.js";
import { createRequestGate } from "./request-gate.js";

/**
 * The way of one store to its backend and to storage: the connection, the gate, and retries through both.
 *
 * @param onChange called when the connection or the capacity of the gate may have changed
 */
export function createNetwork(
  runtime: Pick<Runtime, "after" | "uptimeMs" | "random" | "isOnline" | "onConnectionChange">,
  transport: () => UploadTransport,
  onChange: () => void,
) {
  const connection = createConnection(runtime, transport, () => gate.recheck());
  const gate = createRequestGate(runtime, { isHeld: connection.isHeld, onChange });
  return {
    ...connection,
    capacity: gate.capacity,
    callWithRetry<Result>(
      call: (restartAttempts: () => void) => Promise<Result>,
      options: RetryOptions,
    ): Promise<Result> {
      return callWithRetry({ runtime, gate, connection }, call, options);
    },
  };
}

export type Network = ReturnType<typeof createNetwork>;
