import { StowageError } from "@stowage/schemas";
import { hashApiKey, isWellFormedApiKey } from "#projects/api-key.js";

/**
 * The hash of the key in an Authorization header (RFC 6750: `Bearer`, in any case). A key that was mistyped is refused
 * here by its checksum, without asking the database; whether the key is a project's is for the verb to find out.
 *
 * @throws {StowageError} `unauthorized`
 */
export function readApiKeyHash(authorization: string | undefined): string {
  const [, key] = /^bearer +(\S+) *$/i.exec(authorization ?? "") ?? [];
  if (key === undefined || !isWellFormedApiKey(key)) throw new StowageError("unauthorized");
  return hashApiKey(key);
}
