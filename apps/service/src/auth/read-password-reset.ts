import type { Queries } from "#db/client.js";
import { findPasswordReset } from "./find-password-reset.js";

/**
 * Whose password a link changes, before it does.
 *
 * @throws {DashboardError} `reset_refused`; {@link StowageError} `unavailable`
 */
export function readPasswordReset(
  deps: { db: Queries; clock: () => Date },
  input: { token: string },
): Promise<{ email: string }> {
  return deps.db.run(async (db) => {
    const { email } = await findPasswordReset(db, input.token, deps.clock());
    return { email };
  });
}
