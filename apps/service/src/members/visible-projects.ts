import { StowageError } from "@stowage/schemas";
import type { ProjectsListInput, Role } from "@stowage/operator-schemas";
import {
  and,
  asc,
  desc,
  eq,
  ilike,
  inArray,
  isNotNull,
  isNull,
  not,
  or,
  type SQL,
  sql,
  type SQLWrapper,
} from "drizzle-orm";
import type { Operator } from "#audit/caller.js";
import type { Drizzle, Queries } from "#db/client.js";
import { projectMembers, projects, projectUsageDaily } from "#db/schema/index.js";
import { readPlace, writePlace } from "#lib/cursor.js";
import { cutAt, readPage } from "#lib/read-page.js";
import { containsPattern } from "#lib/search.js";
import { hasOwner, type Membership, roleOfAdmin } from "./authorize.js";
import { type ProjectSummary, toProjectSummary } from "#projects/list-projects.js";

/** A project and the caller's role in it. */
export type ProjectWithRole = ProjectSummary & { role: Role };

/** Reads a project's name and settings. @throws {StowageError} `not_found`, `unavailable` */
export async function readProject(
  deps: { db: Queries },
  { project, role }: Membership,
): Promise<ProjectWithRole> {
  const [row] = await deps.db.run((db) => db.select().from(projects).where(eq(projects.id, project.id)));
  if (!row) throw new StowageError("not_found", { detail: "Project not found" });
  return { ...toProjectSummary(row), role };
}

/** A project in a list. */
export type ListedProject = ProjectWithRole & {
  /** What the project stores; null if the list was made without it. */
  usage: { usedBytes: number; fileCount: number } | null;
};

export interface ProjectsPage {
  projects: ListedProject[];
  /** Null on the first page. */
  previousCursor: string | null;
  /** Null on the last page. */
  nextCursor: string | null;
}

/**
 * Lists the projects that an operator may see, one page at a time: their own, and for an admin also the projects without an owner.
 * An operator has few projects, so a search reads all of them.
 *
 * @throws {StowageError} `invalid_request` if the cursor is not from this list; `unavailable`
 */
export async function listVisibleProjects(
  deps: { db: Queries },
  operator: Pick<Operator, "id" | "isAdmin">,
  query: ProjectsListInput,
): Promise<ProjectsPage> {
  const order = query.order ?? (query.sort === "name" ? "asc" : "desc");
  const list = `${query.sort} ${order}`;
  const place = readPlace(list, ["number", "string"], query.cursor);
  // Only a list that is sorted by name needs the name in its cursor.
  const keyOf = ({ project: { id, name } }: ProjectRow): CursorKey => [id, query.sort === "name" ? name : ""];
  const page = await deps.db.run((db) =>
    readPage({
      place,
      read: async ({ isBackward, after }) => {
        const reading = {
          ...query,
          order: isBackward === (order === "asc") ? "desc" : "asc",
          after,
        } as const;
        return cutAt(await selectProjects(db, operator, reading), query.limit, keyOf);
      },
      positionOf: keyOf,
    }),
  );
  const usage = query.withUsage ? await sumUsageOf(deps, page.rows) : null;
  return {
    projects: page.rows.flatMap(({ project, role }) =>
      role ? [{ ...toProjectSummary(project), role, usage: usage && usageOf(usage, project.id) }] : [],
    ),
    previousCursor: writePlace(list, page.previous),
    nextCursor: writePlace(list, page.next),
  };
}

type ProjectRow = Awaited<ReturnType<typeof selectProjects>>[number];

/** Reads one row more than the limit. */
function selectProjects(
  db: Drizzle,
  operator: Pick<Operator, "id" | "isAdmin">,
  query: Pick<ProjectsListInput, "q" | "sort" | "limit"> & { order: Order; after: CursorKey | undefined },
) {
  const sort = sorts[query.sort];
  // Only an admin's query asks for owners, because PostgreSQL would look for the owner of every project.
  const role = operator.isAdmin ? roleOfAdmin : projectMembers.role;
  const isVisible = operator.isAdmin
    ? or(isNotNull(projectMembers.role), not(hasOwner))
    : isNotNull(projectMembers.role);
  const isOwnMembership = and(
    eq(projectMembers.projectId, projects.id),
    eq(projectMembers.operatorId, operator.id),
  );
  return db
    .select({ project: projects, role })
    .from(projects)
    .leftJoin(projectMembers, isOwnMembership)
    .where(
      and(
        isVisible,
        isNull(projects.deletedAt),
        query.q ? ilike(projects.name, containsPattern(query.q)) : undefined,
        query.after && sort.isAfter(query.after, query.order),
      ),
    )
    .orderBy(...sort.columns.map(directions[query.order]))
    .limit(query.limit + 1);
}

type UsageSums = Map<number, { usedBytes: number; fileCount: number }>;

/**
 * Adds up the usage per day of some projects. A project has at most 16 rows for each day on which files arrived or were deleted,
 * with any number of tenants and files.
 */
async function sumUsageOf(deps: { db: Queries }, page: { project: { id: number } }[]): Promise<UsageSums> {
  if (page.length === 0) return new Map();
  const { projectId, uploads, uploadedBytes, deletedFiles, deletedBytes } = projectUsageDaily;
  const ids = page.map(({ project }) => project.id);
  const rows = await deps.db.run((db) =>
    db
      .select({
        projectId,
        usedBytes: sql`sum(${uploadedBytes} - ${deletedBytes})`.mapWith(Number),
        fileCount: sql`sum(${uploads} - ${deletedFiles})`.mapWith(Number),
      })
      .from(projectUsageDaily)
      .where(inArray(projectId, ids))
      .groupBy(projectId),
  );
  return new Map(rows.map((row) => [row.projectId, row]));
}

function usageOf(sums: UsageSums, projectId: number): { usedBytes: number; fileCount: number } {
  const { usedBytes = 0, fileCount = 0 } = sums.get(projectId) ?? {};
  return { usedBytes, fileCount };
}

/** The values of a page's first or last project from which a neighbouring page continues. */
type CursorKey = [id: number, name: string];

type Order = NonNullable<ProjectsListInput["order"]>;

const directions = { asc, desc } satisfies Record<Order, unknown>;
const comparisons = { asc: sql.raw(">"), desc: sql.raw("<") } satisfies Record<Order, SQL>;

const sorts: Record<
  ProjectsListInput["sort"],
  { columns: SQLWrapper[]; isAfter(key: CursorKey, order: Order): SQL }
> = {
  created_at: {
    columns: [projects.id],
    isAfter: ([id], order) => sql`${projects.id} ${comparisons[order]} ${id}`,
  },
  name: {
    columns: [sql`lower(${projects.name})`, projects.id],
    isAfter: ([id, name], order) =>
      sql`(lower(${projects.name}), ${projects.id}) ${comparisons[order]} (lower(${name}), ${id})`,
  },
};
