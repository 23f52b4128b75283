import { StowageError } from "@stowage/schemas";
import { eq } from "drizzle-orm";
import type { Transaction } from "#db/client.js";
import { operators } from "#db/schema/index.js";

/** Of whoever operates the service and acts from its command line, there is no more to say. */
export const fromCommandLine = { ipAddress: "", userAgent: "the command line" };

/**
 * The operator of an e-mail address, locked until the transaction ends.
 *
 * @param email in any case
 * @throws {StowageError} `not_found`
 */
export async function requireOperator(
  tx: Transaction,
  email: string,
): Promise<{ id: string; email: string }> {
  const [operator] = await tx
    .select({ id: operators.id, email: operators.email })
    .from(operators)
    .where(eq(operators.email, email.toLowerCase()))
    .for("update");
  if (!operator) throw new StowageError("not_found", { detail: "Nobody has this e-mail address" });
  return operator;
}
