import type {
  BrowserCompleteResponse,
  BrowserRoutesResponse,
  BrowserUploadRequestBody,
  BrowserUploadResponse,
} from "@stowage/schemas";
import { browserRuntime, type Runtime } from "../core/runtime.js";
import type { UploadTransport } from "../core/transport.js";
import { UploadError } from "../core/upload-error.js";
import { toUploadError } from "./to-upload-error.js";

/** The router of `@stowage/server/trpc`, as a tRPC client shows it. Told by shape, so that no tRPC comes along. */
export interface StowageTrpcClient {
  request: TrpcMutation<BrowserUploadRequestBody, BrowserUploadResponse>;
  complete: TrpcMutation<{ file_path: string }, BrowserCompleteResponse>;
  delete: TrpcMutation<{ file_path: string }, unknown>;
  routes: TrpcQuery<BrowserRoutesResponse>;
}

export interface TrpcMutation<Input, Output> {
  mutate(input: Input, options?: { signal?: AbortSignal }): Promise<Output>;
}

export interface TrpcQuery<Output> {
  query(input?: undefined, options?: { signal?: AbortSignal }): Promise<Output>;
}

const TIMEOUT_MS = 30_000;
const PROBE_TIMEOUT_MS = 10_000;

/**
 * The widget's calls over a tRPC client, in place of HTTP to an `endpoint`.
 *
 * @param client where the router of `createStowageRouter` is mounted
 * @example <UploadDropzone transport={createTrpcTransport(client.stowage)} />
 */
export function createTrpcTransport(
  client: StowageTrpcClient,
  runtime: Pick<Runtime, "after"> = browserRuntime,
): UploadTransport {
  const call = <Answer>(
    signal: AbortSignal,
    make: (options: { signal: AbortSignal }) => Promise<Answer>,
    timeoutMs = TIMEOUT_MS,
  ) => answerOf(make, { runtime, signal, timeoutMs });
  const routes = (signal: AbortSignal, timeoutMs?: number) =>
    call(signal, (options) => client.routes.query(undefined, options), timeoutMs);
  return {
    request: (body, signal) => call(signal, (options) => client.request.mutate(body, options)),
    complete: (body, signal) => call(signal, (options) => client.complete.mutate(body, options)),
    delete: (body, signal) => call(signal, (options) => client.delete.mutate(body, options)),
    routes: (signal) => routes(signal),
    probe: (signal) =>
      routes(signal, PROBE_TIMEOUT_MS).catch((error: unknown) => {
        if (!(error instanceof UploadError) || error.status === 0) throw error;
      }),
  };
}

/** Not every link of tRPC hears the signal, and hooks have none: whoever gave up is told so at once all the same. */
function answerOf<Answer>(
  make: (options: { signal: AbortSignal }) => Promise<Answer>,
  { runtime, signal, timeoutMs }: { runtime: Pick<Runtime, "after">; signal: AbortSignal; timeoutMs: number },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const call = new AbortController();
    const settle = (finish: () => void) => {
      cancelTimeout();
      signal.removeEventListener("abort", onAbort);
      finish();
    };
    const stop = (reason: unknown) => {
      settle(() => reject(reason));
      call.abort(reason);
    };
    const onAbort = () => stop(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    const cancelTimeout = runtime.after(timeoutMs, () => stop(new UploadError("timed_out")));
    make({ signal: call.signal }).then(
      (answer) => settle(() => resolve(answer)),
      (thrown: unknown) => settle(() => reject(toUploadError(thrown))),
    );
  });
}
