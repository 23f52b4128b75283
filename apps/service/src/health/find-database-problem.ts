import { inTransaction, type Queries } from "#db/client.js";
import { findErrorCode } from "#db/driver/unavailable.js";

/** A small change that has to reach the disk, and the standby if commits wait for one. All replicas change the same row. */
const WRITE = `
insert into installation (name, value) values ('readiness', now()::text)
on conflict (name) do update set value = excluded.value`;

const problems: Partial<Record<string, string>> = {
  "25006": "the database is read-only",
  "53100": "the disk of the database is full",
};

export interface DatabaseProblem {
  description: string;
  cause: unknown;
}

/** Checks whether the database can write. Returns why it cannot, or null. */
export async function findDatabaseProblem(db: Queries): Promise<DatabaseProblem | null> {
  try {
    await db.execute(WRITE, []);
    return null;
  } catch (cause) {
    const known = problems[findErrorCode(cause) ?? ""];
    if (known) return { description: known, cause };
    const description = (await canWriteLocally(db))
      ? "the database waits for its synchronous standby"
      : "the database does not answer";
    return { description, cause };
  }
}

/** Whether a commit succeeds that waits for no standby. */
async function canWriteLocally(db: Queries): Promise<boolean> {
  try {
    await inTransaction(db, async (queries) => {
      await queries.execute("set local synchronous_commit = local", []);
      await queries.execute(WRITE, []);
    });
    return true;
  } catch {
    return false;
  }
}
