import { StowageError } from "@stowage/schemas";
import { ConfigError } from "#settings/parse-settings.js";
import { ConnectionError } from "#db/driver/connection-error.js";
import { SchemaOutdatedError } from "#db/migrate.js";

/** Prints one sentence about the error to stderr, and makes the process exit with 1. */
export function reportError(error: unknown): void {
  console.error(describeError(error));
  process.exitCode = 1;
}

/** Messages for the SQLSTATEs that a user can fix (PostgreSQL documentation, appendix A). */
const MESSAGES_BY_SQLSTATE: Record<string, string> = {
  "42501":
    "The user that DATABASE_URL names lacks permissions in that database. docs/database.md lists them.",
  "42703": "The database has the schema of another version. Run stowage migrate.",
  "42P01": "The database has no schema yet. Run stowage migrate.",
};

/** Describes an error without stack and SQL, because drizzle's messages contain the values of a query. */
export function describeError(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const chain = causesOf(error);
  const clear = chain.find(
    (cause) => cause instanceof ConnectionError || cause instanceof SchemaOutdatedError,
  );
  if (clear) return clear.message;
  const known = chain.map(codeOf).find((code) => code in MESSAGES_BY_SQLSTATE);
  if (known !== undefined) return MESSAGES_BY_SQLSTATE[known]!;
  if (error instanceof StowageError) {
    // The message of `unavailable` does not say whether the database or storage is unavailable.
    if (error.message !== new StowageError("unavailable").message) return error.message;
    const reason = reasonOf(chain.slice(1));
    return chain.some(isStorageError)
      ? `Storage at S3_ENDPOINT does not answer as expected${reason}. Run stowage doctor.`
      : `The database that DATABASE_URL names does not answer${reason}.`;
  }
  return `Something unexpected went wrong${reasonOf(chain)}.`;
}

const MAX_CAUSES = 6;

/** The error and its causes, outermost first. */
function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let cause = error; cause instanceof Error && chain.length < MAX_CAUSES; cause = cause.cause) {
    chain.push(cause);
  }
  return chain;
}

/** The AWS SDK adds `$metadata` to each of its errors. */
function isStorageError(error: Error): boolean {
  return "$metadata" in error || error.name === "AbortError";
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

function reasonOf(chain: Error[]): string {
  const code = chain.map(codeOf).find(Boolean);
  const name = chain.map((error) => error.name).find((name) => name !== "Error" && name !== "StowageError");
  const message = chain.at(-1)?.message.split("\n")[0] ?? "";
  const reason = code ?? name ?? message;
  return reason ? ` (${reason})` : "";
}
