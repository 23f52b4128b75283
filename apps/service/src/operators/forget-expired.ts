import { lt } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { invitations, operatorSessions, operatorVerifications } from "#db/schema/index.js";

/**
 * Takes away sessions, half sign-ins and invitations that have ended. None of them opens anything by then; they would only
 * pile up.
 *
 * @throws {StowageError} `unavailable`
 */
export async function forgetExpired(deps: { db: Queries; clock: () => Date }): Promise<void> {
  const now = deps.clock();
  for (const table of [operatorSessions, operatorVerifications, invitations]) {
    await deps.db.run((db) => db.delete(table).where(lt(table.expiresAt, now)));
  }
}
