import { StowageError } from "@stowage/schemas";
import type {
  OperatorsListInput,
  ProjectCreationPolicy,
  SetProjectGrantInput,
} from "@stowage/operator-schemas";
import { and, asc, desc, eq, gt, ilike, lt, or } from "drizzle-orm";
import type { Caller, Operator } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import { changeProjectGrant } from "#auth/operators.js";
import type { Drizzle, Queries } from "#db/client.js";
import { operators } from "#db/schema/index.js";
import { readPlace, writePlace } from "#lib/cursor.js";
import { cutAt, readPage } from "#lib/read-page.js";
import { containsPattern } from "#lib/search.js";
import { mayCreateProjects } from "./project-creation.js";

/** An operator as the admins see them. */
export type ListedOperator = Omit<Operator, "id"> & {
  operatorId: string;
  mayCreateProjects: boolean;
  createdAt: string;
};

export interface OperatorsPage {
  operators: ListedOperator[];
  /** Null on the first page. */
  previousCursor: string | null;
  /** Null on the last page. */
  nextCursor: string | null;
  /** The setting PROJECT_CREATION. Grants have an effect only with `granted`. */
  projectCreation: ProjectCreationPolicy;
}

/**
 * Lists the operators of the installation by e-mail address, one page at a time. An installation has few operators, so a search
 * reads all of them.
 *
 * @throws {StowageError} `invalid_request` if the cursor is not from this list; `unavailable`
 */
export async function listOperatorsPage(
  deps: { db: Queries; projectCreation: ProjectCreationPolicy },
  query: OperatorsListInput,
): Promise<OperatorsPage> {
  const pattern = query.q ? containsPattern(query.q) : undefined;
  const place = readPlace("operators", ["string"], query.cursor);
  const page = await deps.db.run((db) =>
    readPage({
      place,
      read: async (reading) =>
        cutAt(await selectOperators(db, { pattern, ...reading, limit: query.limit + 1 }), query.limit, keyOf),
      positionOf: keyOf,
    }),
  );
  return {
    operators: page.rows.map((row) => ({
      ...row,
      createdAt: row.createdAt.toISOString(),
      mayCreateProjects: mayCreateProjects(deps.projectCreation, row),
    })),
    previousCursor: writePlace("operators", page.previous),
    nextCursor: writePlace("operators", page.next),
    projectCreation: deps.projectCreation,
  };
}

const keyOf = ({ email }: { email: string }): [email: string] => [email];

function selectOperators(
  db: Drizzle,
  options: {
    pattern: string | undefined;
    isBackward: boolean;
    after: [email: string] | undefined;
    limit: number;
  },
) {
  const { pattern, isBackward, after, limit } = options;
  return db
    .select({
      operatorId: operators.id,
      name: operators.name,
      email: operators.email,
      isAdmin: operators.isAdmin,
      hasProjectGrant: operators.hasProjectGrant,
      twoFactorEnabled: operators.twoFactorEnabled,
      createdAt: operators.createdAt,
    })
    .from(operators)
    .where(
      and(
        pattern === undefined
          ? undefined
          : or(ilike(operators.name, pattern), ilike(operators.email, pattern)),
        after && (isBackward ? lt : gt)(operators.email, after[0]),
      ),
    )
    .orderBy((isBackward ? desc : asc)(operators.email))
    .limit(limit);
}

/**
 * Gives an operator the right to create projects, or takes it. An admin has the right without it.
 *
 * @throws {StowageError} `not_found`, `unavailable`
 */
export function setProjectGrant(
  deps: { db: Queries; clock: () => Date },
  caller: Caller,
  { operatorId, isGranted }: SetProjectGrantInput,
): Promise<void> {
  return auditedTransaction(deps, caller, async (deps, tx) => {
    const [operator] = await tx
      .select({ id: operators.id, email: operators.email })
      .from(operators)
      .where(eq(operators.id, operatorId))
      .for("update");
    if (!operator) throw new StowageError("not_found", { detail: "Operator not found" });
    const entry = await changeProjectGrant(tx, operator, isGranted, deps.clock());
    return { result: undefined, entry };
  });
}
