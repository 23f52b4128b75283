import { lt } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { setupTokens } from "#db/schema/index.js";
import type { RandomBytes } from "#lib/random.js";
import { isSetUp } from "./is-set-up.js";
import { hashToken, makeToken } from "./one-time-token.js";

const DAY_MS = 24 * 3600 * 1000;

/**
 * While there is no operator: makes a token that may make the first one. Each replica that starts prints one of its own; those
 * of starts that are more than a day ago end here.
 *
 * @returns null when there is somebody already
 * @throws {StowageError} `unavailable`
 */
export async function offerSetup(deps: {
  db: Queries;
  clock: () => Date;
  randomBytes: RandomBytes;
}): Promise<string | null> {
  if (await isSetUp(deps)) return null;
  const token = makeToken(deps.randomBytes);
  const now = deps.clock();
  await deps.db.run(async (db) => {
    await db.delete(setupTokens).where(lt(setupTokens.createdAt, new Date(now.getTime() - DAY_MS)));
    await db.insert(setupTokens).values({ tokenHash: hashToken(token), createdAt: now });
  });
  return token;
}
