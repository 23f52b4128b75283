import { StowageError } from "@stowage/schemas";
import type { ActivityInput, AuditListInput } from "@stowage/operator-schemas";
import { and, asc, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Drizzle, Queries } from "#db/client.js";
import { auditLog } from "#db/schema/index.js";
import { type Place, readPlace, writePlace } from "#lib/cursor.js";
import { cutAt, type Part, readPage } from "#lib/read-page.js";
import { containsPattern, SEARCH_WINDOW } from "#lib/search.js";
import { addMs, DAY_MS } from "#lib/time.js";

/** One entry of the audit log. */
export interface AuditLine {
  id: number;
  at: string;
  /** An `AuditAction`, or an action that a newer version of the service wrote. */
  action: string;
  /** Null if no operator had the e-mail address. */
  operatorId: string | null;
  operatorEmail: string;
  details: Record<string, string | number | boolean | null>;
  ipAddress: string;
  userAgent: string;
}

export interface AuditPage {
  lines: AuditLine[];
  /** Null on the first page. */
  previousCursor: string | null;
  /** Null on the last page. */
  nextCursor: string | null;
  /** Whether the page was read backwards, for a cursor of a previous page. Then a search continues with `previousCursor`. */
  isBackward: boolean;
}

type AuditScope = { projectId: number } | { operatorId: string };

/**
 * Lists the audit entries of one project, or of one operator in all projects, newest first. A page of a filtered list can be short
 * or empty and still not be the last one, as in files/list/list-files.ts.
 *
 * @throws {StowageError} `invalid_request` if the cursor is not from this list; `unavailable`
 */
export async function listAudit(
  deps: { db: Queries },
  scope: AuditScope,
  query: AuditListInput | ActivityInput,
): Promise<AuditPage> {
  const filter = filterOf(scope, query);
  const place = readAuditPlace(query.cursor);
  const page = await deps.db.run((db) =>
    readPage({
      place,
      read: (reading) => readLines(db, filter, { ...reading, limit: query.limit }),
      positionOf,
      // Only a search has an empty page between others.
      ...(filter.remaining && {
        including: ([atMs, id]: Position, isBackward: boolean): Position => [
          atMs,
          id + (isBackward ? -1 : 1),
        ],
      }),
    }),
  );
  return {
    lines: page.rows.map((row) => ({ ...row, at: row.at.toISOString() })),
    previousCursor: writePlace("audit", page.previous),
    nextCursor: writePlace("audit", page.next),
    isBackward: page.isBackward,
  };
}

/** Entries are written with the clock of JavaScript, so milliseconds are exact. */
type Position = [atMs: number, id: number];
const positionOf = ({ at, id }: { at: Date; id: number }): Position => [at.getTime(), id];

/** @throws {StowageError} `invalid_request` */
function readAuditPlace(cursor: string | undefined): Place<Position> | undefined {
  const place = readPlace("audit", ["number", "number"], cursor);
  if (place && place.at[0] > LAST_TIME_MS)
    throw new StowageError("invalid_request", { detail: "cursor is not valid" });
  return place;
}

/** PostgreSQL does not read the ISO form of a later time. */
const LAST_TIME_MS = Date.parse("9999-12-31T23:59:59.999Z");

interface Filter {
  /** Conditions that an index has in the order of the list. */
  indexed: SQL | undefined;
  /** The other conditions. They apply to one window of the list at a time. */
  remaining: SQL | undefined;
}

function filterOf(scope: AuditScope, query: Partial<AuditListInput>): Filter {
  const { action, operatorId, from, to, q } = query;
  const isInTime = and(
    "projectId" in scope
      ? eq(auditLog.projectId, scope.projectId)
      : eq(auditLog.operatorId, scope.operatorId),
    from === undefined ? undefined : gte(auditLog.at, new Date(from)),
    to === undefined ? undefined : lt(auditLog.at, addMs(new Date(to), DAY_MS)),
  );
  const isChosen = and(
    action === undefined ? undefined : eq(auditLog.action, action),
    operatorId === undefined ? undefined : eq(auditLog.operatorId, operatorId),
  );
  // A window of neighbours in the table. PostgreSQL would sort all entries of an action to find a window of them.
  return q === undefined
    ? { indexed: and(isInTime, isChosen), remaining: undefined }
    : { indexed: isInTime, remaining: and(isChosen, mentions(q)) };
}

/** Whether one of the details contains the text, such as the name of a file, a tenant or a person. */
function mentions(q: string): SQL {
  return sql`exists (
    select from jsonb_each_text(${auditLog.details}) detail where detail.value ilike ${containsPattern(q.normalize("NFC"))})`;
}

interface Reading {
  isBackward: boolean;
  after: Position | undefined;
  limit: number;
}

async function readLines(
  db: Drizzle,
  { indexed, remaining }: Filter,
  { isBackward, after, limit }: Reading,
): Promise<Part<AuditRow, Position>> {
  const isListed = and(indexed, after && isBeyond(after, isBackward));
  if (!remaining) {
    return cutAt(await selectLines(db, isListed, isBackward).limit(limit + 1), limit, positionOf);
  }
  const windowEnd = await findWindowEnd(db, isListed, isBackward);
  // The other conditions apply outside of the window. Inside it, PostgreSQL might read the whole log to find enough matches.
  const window = selectLines(db, isListed, isBackward).limit(SEARCH_WINDOW).as("audit_log");
  const found = await db
    .select()
    .from(window)
    .where(remaining)
    .orderBy(...orderOf(isBackward, window))
    .limit(limit + 1);
  const { rows, rest } = cutAt(found, limit, positionOf);
  return { rows, rest: rest ?? windowEnd };
}

type AuditRow = Awaited<ReturnType<typeof selectLines>>[number];

function selectLines(db: Drizzle, where: SQL | undefined, isBackward: boolean) {
  return db
    .select({
      id: auditLog.id,
      at: auditLog.at,
      action: auditLog.action,
      operatorId: auditLog.operatorId,
      operatorEmail: auditLog.operatorEmail,
      details: auditLog.details,
      ipAddress: auditLog.ipAddress,
      userAgent: auditLog.userAgent,
    })
    .from(auditLog)
    .where(where)
    .orderBy(...orderOf(isBackward, auditLog))
    .$dynamic();
}

function orderOf(isBackward: boolean, { at, id }: Pick<typeof auditLog, "at" | "id">): SQL[] {
  const direction = isBackward ? asc : desc;
  return [direction(at), direction(id)];
}

function isBeyond([atMs, id]: Position, isBackward: boolean): SQL {
  const comparison = sql.raw(isBackward ? ">" : "<");
  return sql`(${auditLog.at}, ${auditLog.id}) ${comparison} (${new Date(atMs).toISOString()}::timestamptz, ${id}::bigint)`;
}

/** The last entry of the window; null if fewer entries remain. */
async function findWindowEnd(
  db: Drizzle,
  where: SQL | undefined,
  isBackward: boolean,
): Promise<Position | null> {
  const [last, beyond] = await db
    .select({ id: auditLog.id, at: auditLog.at })
    .from(auditLog)
    .where(where)
    .orderBy(...orderOf(isBackward, auditLog))
    .offset(SEARCH_WINDOW - 1)
    .limit(2);
  return last && beyond ? positionOf(last) : null;
}
