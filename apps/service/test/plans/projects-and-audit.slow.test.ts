import { afterAll, beforeAll, expect, test } from "vitest";
import { auditListInput, projectsListInput } from "@stowage/operator-schemas";
import { listAudit } from "#audit/list-audit.js";
import { SEARCH_WINDOW } from "#lib/search.js";
import { findMembership } from "#members/authorize.js";
import { listVisibleProjects } from "#members/visible-projects.js";
import { aPlanReader } from "../fixtures/a-plan-reader.js";

/** Many, because PostgreSQL rightly reads a table of a few thousand rows as a whole. */
const PROJECTS = 50_000;
const LINES = 200_000;
/** A project with a quarter as many entries of its own, one per minute. */
const BUSY = 77;
/** The operator is a member of this many projects. */
const OWN_PROJECTS = 20;

let deps: Awaited<ReturnType<typeof aPlanReader>>;

beforeAll(async () => {
  deps = await aPlanReader();
  await deps.sql.unsafe(`
    insert into projects (ref, name, api_key_hash, api_key_start, api_key_last4, max_file_bytes, created_at, key_created_at)
      select 'p' || i, 'project ' || i, 'h' || i, '', '', 1, now(), now() from generate_series(1, ${PROJECTS}) i;
    insert into operators (id, name, email, created_at, updated_at)
      select 'o' || i, 'o', 'o' || i || '@example.com', now(), now() from generate_series(1, 5000) i;
    insert into project_members (project_id, operator_id, role, created_at)
      select i, 'o' || 2 + i % 4999, 'owner', now() from generate_series(1, ${PROJECTS}) i;
    insert into project_members (project_id, operator_id, role, created_at)
      select i * ${PROJECTS / OWN_PROJECTS}, 'o1', 'viewer', now() from generate_series(1, ${OWN_PROJECTS}) i;
    insert into audit_log (project_id, operator_id, operator_email, action, ip_address, user_agent, at)
      select case when i % 2 = 0 then 1 + i % ${PROJECTS} end, 'o' || 1 + i % 200, 'o@example.com', 'operator.signed_in', '', '', now()
      from generate_series(1, ${LINES}) i;
    insert into audit_log (project_id, operator_id, operator_email, action, details, ip_address, user_agent, at)
      select ${BUSY}, 'o' || 1 + i % 50, 'o@example.com', case when i % 100 = 0 then 'key.regenerated' else 'file.deleted' end,
             jsonb_build_object('filename', 'file ' || i), '', '', '2026-01-01T00:00:00Z'::timestamptz + i * interval '1 minute'
      from generate_series(1, ${LINES / 4}) i;
    analyze;`);
});
afterAll(() => deps.close());

const operator = { id: "o1", isAdmin: false };

test("finding an operator's role in a project reads fewer than ten rows", async () => {
  const { result, read } = await deps.costOf(() => findMembership(deps, operator, `p${PROJECTS}`));
  expect(result).toMatchObject({ role: "viewer" });
  expect(read).toBeLessThan(10);
});

test.each([{}, { order: "asc" }, { sort: "name" }, { sort: "name", order: "desc" }, { q: "project 5" }])(
  "a list of an operator's projects with %j reads only those projects",
  async (query) => {
    const { result, read } = await deps.costOf(() =>
      listVisibleProjects(deps, operator, projectsListInput.parse(query)),
    );
    expect(result.projects.length).toBeGreaterThan(0);
    expect(read).toBeLessThan(10 * OWN_PROJECTS);
  },
);

test.each([{ projectId: 5 }, { operatorId: "o7" }, { projectId: 0 }])(
  "a page of the audit log of %j reads only that page",
  async (of) => {
    const { result, read } = await deps.costOf(() => listAudit(deps, of, auditListInput.parse({})));
    expect(result.lines.length).toBeLessThanOrEqual(50);
    expect(read).toBeLessThan(100);
  },
);

const auditOf = (query: object) =>
  deps.costOf(() => listAudit(deps, { projectId: BUSY }, auditListInput.parse(query)));

test.each([
  {},
  { action: "key.regenerated" },
  { action: "project.deleted" },
  { operatorId: "o7" },
  { operatorId: "nobody" },
  { from: "2026-01-10", to: "2026-01-10" },
  { action: "key.regenerated", from: "2026-01-10" },
  { operatorId: "o7", to: "2026-01-10" },
  { operatorId: "o7", action: "file.deleted" },
  { operatorId: "o51", action: "file.deleted" },
])("a page of a long audit log with %j reads only that page, forward and backward", async (filter) => {
  const first = await auditOf(filter);
  expect(first.read).toBeLessThan(100);
  if (first.result.nextCursor === null) return;
  const second = await auditOf({ ...filter, cursor: first.result.nextCursor });
  expect(second.read).toBeLessThan(100);
  const back = await auditOf({ ...filter, cursor: second.result.previousCursor });
  expect(back.result.lines).toEqual(first.result.lines);
  expect(back.read).toBeLessThan(200);
});

test.each([{ q: "file 7" }, { q: "nowhere" }, { q: "file 7", action: "file.deleted", operatorId: "o51" }])(
  "a search in a long audit log with %j reads at most two windows",
  async (filter) => {
    const { result, read } = await auditOf(filter);
    expect(read).toBeLessThan(2 * SEARCH_WINDOW + 100);
    expect(result.nextCursor).not.toBeNull();
  },
);
