import { StowageError } from "@stowage/schemas";
import { ConfigError } from "#config.js";

/** Says in one sentence on stderr why a command could not do its work, and lets the process end with 1. */
export function fail(error: unknown): void {
  console.error(sentenceOf(error));
  process.exitCode = 1;
}

/** SQLSTATEs that a person can do something about (PostgreSQL documentation, appendix A). */
const DATABASE_SENTENCES: Record<string, string> = {
  "28000": "The database refuses the user that DATABASE_URL names.",
  "28P01": "The database refuses the user or password that DATABASE_URL names.",
  "3D000": "The database that DATABASE_URL names does not exist.",
  "42501": "The user that DATABASE_URL names lacks rights in that database.",
  "42703": "The database has another version's schema: run stowage migrate.",
  "42P01": "The database has no schema yet: run stowage migrate.",
};

/** Never a stack, nor a query: drizzle's messages quote the values in it. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const chain = causesOf(error);
  const known = chain.map(codeOf).find((code) => code in DATABASE_SENTENCES);
  if (known !== undefined) return DATABASE_SENTENCES[known]!;
  if (error instanceof StowageError) {
    if (error.code !== "unavailable" || error.message !== new StowageError("unavailable").message)
      return error.message;
    const reason = reasonOf(chain.slice(1));
    // The AWS SDK puts $metadata on every error of its own.
    return chain.some((cause) => "$metadata" in cause || cause.name === "AbortError")
      ? `Storage at S3_ENDPOINT does not answer as it should${reason}: run stowage doctor.`
      : `The database that DATABASE_URL names does not answer${reason}.`;
  }
  return `Something unexpected went wrong${reasonOf(chain)}.`;
}

function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < 6; at = at.cause) chain.push(at);
  return chain;
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
