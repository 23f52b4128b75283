import { StowageError, type BrowserBatchResult } from "@stowage/schemas";
import type { Config } from "../config.js";
import { errorBodyOf, reportError, retryAfterSecondsOf, toStowageError } from "../errors.js";
import type { Caller } from "./identify-caller.js";

/** Limits how many files of one batch are at the service, and in the customer's callbacks, at the same time. */
const CONCURRENCY = 10;

/**
 * Runs an action for each file of a batch. A file that is refused does not fail the others. Once the browser has left, no further file
 * is started.
 *
 * @returns one result for each file, in the same order
 * @throws {StowageError} `unavailable` if the browser has left
 */
export async function runBatch<File, Answer>(
  { onError }: Pick<Config, "onError">,
  { request }: Pick<Caller, "request">,
  files: readonly File[],
  run: (file: File) => Promise<Answer>,
): Promise<{ results: BrowserBatchResult<Answer>[] }> {
  const { signal } = request;
  const results: BrowserBatchResult<Answer>[] = [];
  const waiting = files.entries();

  async function runNext(): Promise<void> {
    for (const [index, file] of waiting) {
      if (signal.aborted) return;
      results[index] = await run(file).then(
        (answer) => ({ status: 200, answer }),
        (thrown: unknown) => {
          const error = toStowageError(thrown);
          reportError(onError, error, request);
          return toErrorResult(error);
        },
      );
    }
  }

  await Promise.all(Array.from({ length: CONCURRENCY }, runNext));
  if (signal.aborted) throw new StowageError("unavailable", { cause: signal.reason });
  return { results };
}

function toErrorResult(error: StowageError) {
  const seconds = retryAfterSecondsOf(error);
  return {
    status: error.status,
    error: errorBodyOf(error),
    ...(seconds === undefined ? {} : { retry_after_seconds: seconds }),
  };
}
