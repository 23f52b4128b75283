import { asc } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { operators } from "#db/schema/index.js";

export interface OperatorSummary {
  email: string;
  name: string;
  /** Of the whole installation. */
  isAdmin: boolean;
  twoFactorEnabled: boolean;
  createdAt: string;
}

/** Everybody who can sign in, the first one first. @throws {StowageError} `unavailable` */
export async function listOperators(deps: { db: Queries }): Promise<OperatorSummary[]> {
  const rows = await deps.db.run((db) =>
    db
      .select({
        email: operators.email,
        name: operators.name,
        isAdmin: operators.isAdmin,
        twoFactorEnabled: operators.twoFactorEnabled,
        createdAt: operators.createdAt,
      })
      .from(operators)
      .orderBy(asc(operators.createdAt), asc(operators.id)),
  );
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
}
