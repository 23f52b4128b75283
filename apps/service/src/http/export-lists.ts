import { parse, StowageError } from "@stowage/schemas";
import {
  auditExportQuery,
  DashboardError,
  filesExportQuery,
  projectsExportQuery,
  tenantsExportQuery,
} from "@stowage/schemas/dashboard";
import type { FastifyReply, FastifyRequest } from "fastify";
import { listAudit } from "#audit/list-audit.js";
import type { Operator } from "#audit/caller.js";
import type { Queries } from "#db/client.js";
import { eachPage } from "#lib/each-page.js";
import { browseFiles } from "#files/list/browse-files.js";
import { authorize } from "#members/authorize.js";
import { listOwnProjects } from "#admin/list-own-projects.js";
import type { SignIn } from "#auth/sign-in.js";
import { listTenants } from "#tenants/list-tenants.js";
import { toWebHeaders } from "#lib/web-headers.js";
import { type Columns, toCsv } from "./csv.js";
import { auditColumns, fileColumns, projectColumns, tenantColumns } from "./export-columns.js";

export interface ExportDeps {
  db: Queries;
  clock: () => Date;
  signIn: Pick<SignIn, "findSession">;
  defaultQuotaBytes: number | null;
}

/** Rows of one read of the database. */
const PAGE = 1000;
/** Far more than millions of rows take; who reads slower than that has gone. */
const LIMIT_MS = 15 * 60_000;
/** Exports of one person at once. */
const AT_ONCE = 3;

/** The lists of the dashboard, each as a file for whoever may see it. */
export function createExports(deps: ExportDeps) {
  const send = createSender(deps);
  return {
    async files(request: FastifyRequest, reply: FastifyReply) {
      const operator = await findOperator(deps, request, reply);
      const { projectRef, ...query } = parse(filesExportQuery, request.query);
      const { project } = await authorize(deps, operator, { projectRef, role: "viewer" });
      const pages = eachPage((cursor) => browseFiles(deps, project, { ...query, cursor, limit: PAGE }));
      return send(reply, operator, { name: "files", columns: fileColumns, pages: rows(pages, "files") });
    },
    async tenants(request: FastifyRequest, reply: FastifyReply) {
      const operator = await findOperator(deps, request, reply);
      const { projectRef, ...query } = parse(tenantsExportQuery, request.query);
      const { project } = await authorize(deps, operator, { projectRef, role: "viewer" });
      const pages = eachPage((cursor) => listTenants(deps, project, { ...query, cursor, limit: PAGE }));
      return send(reply, operator, {
        name: "tenants",
        columns: tenantColumns,
        pages: rows(pages, "tenants"),
      });
    },
    async projects(request: FastifyRequest, reply: FastifyReply) {
      const operator = await findOperator(deps, request, reply);
      const query = parse(projectsExportQuery, request.query);
      const pages = eachPage((cursor) => listOwnProjects(deps, operator, { ...query, cursor, limit: PAGE }));
      return send(reply, operator, {
        name: "projects",
        columns: projectColumns,
        pages: rows(pages, "projects"),
      });
    },
    async audit(request: FastifyRequest, reply: FastifyReply) {
      const operator = await findOperator(deps, request, reply);
      const { projectRef } = parse(auditExportQuery, request.query);
      const { project } = await authorize(deps, operator, { projectRef, role: "owner" });
      const pages = eachPage((cursor) => listAudit(deps, { projectId: project.id }, { cursor, limit: PAGE }));
      return send(reply, operator, { name: "audit", columns: auditColumns, pages: rows(pages, "lines") });
    },
  };
}

async function findOperator(
  deps: ExportDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Operator> {
  const session = await deps.signIn.findSession(toWebHeaders(request.headers));
  if (!session) throw new DashboardError("signed_out");
  if (session.cookies.length > 0) reply.header("Set-Cookie", session.cookies);
  return session.operator;
}

async function* rows<Name extends string, Row>(
  pages: AsyncIterable<Record<Name, Row[]>>,
  name: Name,
): AsyncGenerator<Row[]> {
  for await (const page of pages) yield page[name];
}

interface Export<Row> {
  name: string;
  columns: Columns<Row>;
  pages: AsyncIterable<Row[]>;
}

function createSender(deps: ExportDeps) {
  const running = new Map<string, number>();
  const count = (id: string, change: number) => {
    const left = (running.get(id) ?? 0) + change;
    if (left > 0) running.set(id, left);
    else running.delete(id);
  };
  return <Row>(reply: FastifyReply, { id }: Operator, { name, columns, pages }: Export<Row>) => {
    if ((running.get(id) ?? 0) >= AT_ONCE)
      throw new StowageError("too_many_requests", { retryAfterSeconds: 10 });
    count(id, 1);
    const stream = toCsv(pages, columns, { limitMs: LIMIT_MS }).once("close", () => count(id, -1));
    const day = deps.clock().toISOString().slice(0, 10);
    return reply
      .header("Content-Type", "text/csv; charset=utf-8; header=present")
      .header("Content-Disposition", `attachment; filename="stowage-${name}-${day}.csv"`)
      .send(stream);
  };
}
