import { eq } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { installation } from "#db/schema/index.js";
import type { RandomBytes } from "#lib/random.js";

const NAME = "sign_in_secret";

/**
 * The secret that signs the cookies of this installation, made by whichever replica asks first. One that the operator sets
 * (SIGN_IN_SECRET) is better: it does not lie beside what it encrypts.
 *
 * @throws {StowageError} `unavailable`
 */
export async function installationSecret(deps: { db: Queries; randomBytes: RandomBytes }): Promise<string> {
  const made = Buffer.from(deps.randomBytes(48)).toString("base64url");
  return deps.db.run(async (db) => {
    await db.insert(installation).values({ name: NAME, value: made }).onConflictDoNothing();
    const [row] = await db
      .select({ value: installation.value })
      .from(installation)
      .where(eq(installation.name, NAME));
    return row!.value;
  });
}
