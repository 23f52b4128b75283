import type { ProjectsListInput } from "@stowage/schemas/dashboard";
import {
  and,
  asc,
  desc,
  eq,
  ilike,
  isNotNull,
  isNull,
  not,
  or,
  type SQL,
  sql,
  type SQLWrapper,
} from "drizzle-orm";
import type { Operator } from "#audit/caller.js";
import type { Queries } from "#db/client.js";
import { projectMembers, projects } from "#db/schema/index.js";
import { toProjectSummary } from "#projects/list-projects.js";
import { readCursor, writeCursor } from "#lib/cursor.js";
import { containsPattern } from "#lib/search.js";
import { hasOwner, roleOfAdmin } from "#members/find-membership.js";
import type { SeenProject } from "./read-project.js";

export interface OwnProjectsPage {
  projects: SeenProject[];
  nextCursor: string | null;
}

/**
 * A page of the projects that an operator may see. One person's projects are few enough to be searched whole. Only an admin's list
 * looks beyond memberships, for projects that nobody owns.
 *
 * @throws {StowageError} `invalid_request` for a cursor that this list did not make; `unavailable`
 */
export async function listOwnProjects(
  deps: { db: Queries },
  operator: Pick<Operator, "id" | "isAdmin">,
  query: ProjectsListInput,
): Promise<OwnProjectsPage> {
  const order = query.order ?? (query.sort === "name" ? "asc" : "desc");
  const way = ways[query.sort];
  const list = `${query.sort} ${order}`;
  // Whether somebody owns a project is asked for admins alone: PostgreSQL would find it out for every project there is.
  const role = operator.isAdmin ? roleOfAdmin : projectMembers.role;
  const isTheirs = operator.isAdmin
    ? or(isNotNull(projectMembers.role), not(hasOwner))
    : isNotNull(projectMembers.role);
  const isMembership = and(
    eq(projectMembers.projectId, projects.id),
    eq(projectMembers.operatorId, operator.id),
  );
  const after = query.cursor === undefined ? undefined : way.after(readKey(list, query.cursor), order);
  const rows = await deps.db.run((db) =>
    db
      .select({ project: projects, role })
      .from(projects)
      .leftJoin(projectMembers, isMembership)
      .where(
        and(
          isTheirs,
          isNull(projects.deletedAt),
          query.q ? ilike(projects.name, containsPattern(query.q)) : undefined,
          after,
        ),
      )
      .orderBy(...way.by.map(directions[order]))
      .limit(query.limit + 1),
  );
  const page = rows.slice(0, query.limit);
  const last = rows.length > query.limit ? page.at(-1) : undefined;
  return {
    projects: page.flatMap(({ project, role }) => (role ? [{ ...toProjectSummary(project), role }] : [])),
    nextCursor: last
      ? writeCursor(list, [last.project.id, list.startsWith("name") ? last.project.name : ""])
      : null,
  };
}

interface Key {
  id: number;
  name: string;
}

type Order = NonNullable<ProjectsListInput["order"]>;

const directions = { asc, desc } satisfies Record<Order, unknown>;
const beyond = { asc: sql.raw(">"), desc: sql.raw("<") } satisfies Record<Order, SQL>;

const ways: Record<ProjectsListInput["sort"], { by: SQLWrapper[]; after(key: Key, order: Order): SQL }> = {
  created_at: { by: [projects.id], after: ({ id }, order) => sql`${projects.id} ${beyond[order]} ${id}` },
  name: {
    by: [sql`lower(${projects.name})`, projects.id],
    after: ({ id, name }, order) =>
      sql`(lower(${projects.name}), ${projects.id}) ${beyond[order]} (lower(${name}), ${id})`,
  },
};

function readKey(list: string, cursor: string): Key {
  const [id, name] = readCursor(list, ["number", "string"], cursor);
  return { id, name };
}
