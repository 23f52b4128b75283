import { AsyncLocalStorage } from "node:async_hooks";
import { StowageError } from "@stowage/schemas";

/** The first error of the database in a call to better-auth. */
interface Failure {
  error?: StowageError;
}

const failures = new AsyncLocalStorage<Failure>();

/**
 * Runs a call to better-auth, and throws the error of the database if one of the call's queries failed. The library itself replaces
 * such an error by an internal one, or hides it: it then reports that there is no session.
 *
 * @throws {StowageError} `unavailable`, `too_many_requests`
 */
export async function withDatabaseErrors<T>(work: () => Promise<T>): Promise<T> {
  const failure: Failure = {};
  const rethrow = () => {
    if (failure.error !== undefined) throw failure.error;
  };
  return failures.run(failure, async () => {
    try {
      const result = await work();
      rethrow();
      return result;
    } catch (error) {
      rethrow();
      throw error;
    }
  });
}

/** Remembers the error of a query, or of another step that is refused, for {@link withDatabaseErrors}. */
export async function rememberDatabaseErrors<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    const failure = failures.getStore();
    if (failure && error instanceof StowageError) failure.error ??= error;
    throw error;
  }
}
