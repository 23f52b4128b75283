import { eq } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { installation } from "#db/schema/index.js";
import type { RandomBytes } from "#lib/random.js";

const NAME = "sign_in_secret";

/**
 * Reads the secret that signs this installation's cookies from the database. The first replica that asks creates it. The setting
 * SIGN_IN_SECRET is safer, because it is not stored beside the data that it encrypts.
 *
 * @throws {StowageError} `unavailable`
 */
export async function readInstallationSecret(deps: {
  db: Queries;
  randomBytes: RandomBytes;
}): Promise<string> {
  const candidate = Buffer.from(deps.randomBytes(48)).toString("base64url");
  return deps.db.run(async (db) => {
    await db.insert(installation).values({ name: NAME, value: candidate }).onConflictDoNothing();
    const [row] = await db
      .select({ value: installation.value })
      .from(installation)
      .where(eq(installation.name, NAME));
    return row!.value;
  });
}
