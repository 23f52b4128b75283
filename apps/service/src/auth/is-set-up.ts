import type { Queries } from "#db/client.js";
import { operators } from "#db/schema/index.js";

/** Whether anybody can sign in yet. @throws {StowageError} `unavailable` */
export async function isSetUp(deps: { db: Queries }): Promise<boolean> {
  const [first] = await deps.db.run((db) => db.select({ id: operators.id }).from(operators).limit(1));
  return first !== undefined;
}
