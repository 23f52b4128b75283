import { type CountLimits, parse, StowageError } from "@stowage/schemas";
import {
  auditExportQuery,
  DashboardError,
  filesExportQuery,
  projectsExportQuery,
  tenantsExportQuery,
} from "@stowage/operator-schemas";
import type { FastifyReply, FastifyRequest } from "fastify";
import { listAudit } from "#audit/list-audit.js";
import type { Operator } from "#audit/caller.js";
import { type Database, inLane } from "#db/client.js";
import { eachPage } from "#lib/each-page.js";
import { browseFiles } from "#files/list/browse-files.js";
import { authorize } from "#members/authorize.js";
import { listVisibleProjects } from "#members/visible-projects.js";
import { refuseWithoutTwoFactor } from "#auth/require-two-factor.js";
import type { SignIn } from "#auth/sign-in.js";
import { listTenants } from "#tenants/list-tenants.js";
import { toWebHeaders } from "#lib/web-headers.js";
import { MINUTE_MS, toUtcDay } from "#lib/time.js";
import { type Columns, toCsv } from "./csv.js";
import { auditColumns, fileColumns, projectColumns, tenantColumns } from "./export-columns.js";

export interface ExportDeps {
  db: Database;
  clock: () => Date;
  signIn: Pick<SignIn, "findSession">;
  defaultQuotaBytes: number | null;
  defaultLimits: CountLimits;
}

/** Rows per query. */
const PAGE_SIZE = 1000;
/** Even millions of rows take far less. The service assumes that a slower client has disconnected. */
const TIME_LIMIT_MS = 15 * MINUTE_MS;
const MAX_CONCURRENT_EXPORTS_PER_OPERATOR = 3;

/** The handlers of the export routes, by list. */
export function createExports(deps: ExportDeps) {
  const send = createExportSender(deps);
  return {
    async files(request: FastifyRequest, reply: FastifyReply) {
      const operator = await findOperator(deps, request, reply);
      const { projectRef, ...query } = parse(filesExportQuery, request.query);
      const { project } = await authorize(inLane(deps, "read", `operator ${operator.id}`), operator, {
        projectRef,
        role: "viewer",
      });
      const pages = eachPage((cursor) =>
        browseFiles(inLane(deps, "list", project.id), project, { ...query, cursor, limit: PAGE_SIZE }),
      );
      return send(reply, operator, { name: "files", columns: fileColumns, pages: rowsOf(pages, "files") });
    },
    async tenants(request: FastifyRequest, reply: FastifyReply) {
      const operator = await findOperator(deps, request, reply);
      const { projectRef, ...query } = parse(tenantsExportQuery, request.query);
      const { project } = await authorize(inLane(deps, "read", `operator ${operator.id}`), operator, {
        projectRef,
        role: "viewer",
      });
      const pages = eachPage((cursor) =>
        listTenants(inLane(deps, "list", project.id), project, { ...query, cursor, limit: PAGE_SIZE }),
      );
      return send(reply, operator, {
        name: "tenants",
        columns: tenantColumns,
        pages: rowsOf(pages, "tenants"),
      });
    },
    async projects(request: FastifyRequest, reply: FastifyReply) {
      const operator = await findOperator(deps, request, reply);
      const query = parse(projectsExportQuery, request.query);
      const pages = eachPage((cursor) =>
        listVisibleProjects(inLane(deps, "list", `operator ${operator.id}`), operator, {
          ...query,
          cursor,
          limit: PAGE_SIZE,
          withUsage: false,
        }),
      );
      return send(reply, operator, {
        name: "projects",
        columns: projectColumns,
        pages: rowsOf(pages, "projects"),
      });
    },
    async audit(request: FastifyRequest, reply: FastifyReply) {
      const operator = await findOperator(deps, request, reply);
      const { projectRef, ...query } = parse(auditExportQuery, request.query);
      const { project } = await authorize(inLane(deps, "read", `operator ${operator.id}`), operator, {
        projectRef,
        role: "owner",
      });
      const pages = eachPage((cursor) =>
        listAudit(
          inLane(deps, "list", project.id),
          { projectId: project.id },
          { ...query, cursor, limit: PAGE_SIZE },
        ),
      );
      return send(reply, operator, { name: "audit", columns: auditColumns, pages: rowsOf(pages, "lines") });
    },
  };
}

async function findOperator(
  deps: ExportDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Operator> {
  const session = refuseWithoutTwoFactor(await deps.signIn.findSession(toWebHeaders(request.headers)));
  if (!session) throw new DashboardError("signed_out");
  if (session.cookies.length > 0) reply.header("Set-Cookie", session.cookies);
  return session.operator;
}

async function* rowsOf<Name extends string, Row>(
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

function createExportSender(deps: ExportDeps) {
  const runningByOperator = new Map<string, number>();
  const count = (operatorId: string, change: number) => {
    const running = (runningByOperator.get(operatorId) ?? 0) + change;
    if (running > 0) runningByOperator.set(operatorId, running);
    else runningByOperator.delete(operatorId);
  };
  return <Row>(reply: FastifyReply, { id }: Operator, { name, columns, pages }: Export<Row>) => {
    if ((runningByOperator.get(id) ?? 0) >= MAX_CONCURRENT_EXPORTS_PER_OPERATOR) {
      throw new StowageError("too_many_requests", { retryAfterSeconds: 10 });
    }
    count(id, 1);
    const stream = toCsv(pages, columns, { limitMs: TIME_LIMIT_MS }).once("close", () => count(id, -1));
    const day = toUtcDay(deps.clock());
    return reply
      .header("Content-Type", "text/csv; charset=utf-8; header=present")
      .header("Content-Disposition", `attachment; filename="stowage-${name}-${day}.csv"`)
      .send(stream);
  };
}
