import type { Disposition, ListLinksQuery } from "@stowage/schemas";
import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Drizzle, Queries } from "#db/client.js";
import { files, shareLinks, tenants } from "#db/schema/index.js";
import { isTenantOfFile } from "#files/record/file-conditions.js";
import { readCursor, writeCursor } from "#lib/cursor.js";
import { cutAt } from "#lib/read-page.js";
import type { Project } from "#projects/find-project.js";

/** A share link as callers see it. Its token is never read again. */
export interface LinkRecord {
  linkId: string;
  filePath: string;
  tenantId: string;
  createdAt: string;
  /** Null: it has no end. */
  expiresAt: string | null;
  /** Null: no limit. */
  maxDownloads: number | null;
  downloads: number;
  hasPassword: boolean;
  disposition: Disposition;
}

export interface LinksPage {
  links: LinkRecord[];
  nextCursor: string | null;
}

const LIST = "links";

/**
 * One page of the share links of a tenant or of a file, newest first. A file that the project or the tenant does not have has no links.
 *
 * @throws {StowageError} `invalid_request` for a cursor that this list did not make; `unavailable`
 */
export async function listLinks(
  { db }: { db: Queries },
  project: Project,
  { tenantId, filePath, limit, cursor }: Omit<ListLinksQuery, "tenantId"> & { tenantId?: string | undefined },
): Promise<LinksPage> {
  const [after] = cursor === undefined ? [] : readCursor(LIST, ["number"], cursor);
  const listed = { projectId: project.id, tenantId, filePath, after };
  const found = await db.run((drizzle) => selectLinks(drizzle, listed).limit(limit + 1));
  const { rows, rest } = cutAt(found, limit, ({ id }) => id);
  return { links: rows.map(toLinkRecord), nextCursor: rest === null ? null : writeCursor(LIST, [rest]) };
}

/** Which links of a project. A member that is left out, or undefined, does not limit them. */
interface LinkFilter {
  projectId: number;
  ref?: string;
  tenantId?: string | undefined;
  filePath?: string | undefined;
  /** The id of the last link that was read. */
  after?: number | undefined;
}

/** Selects links with what a record says of their files, newest first. */
export function selectLinks(
  db: Pick<Drizzle, "select">,
  { projectId, ref, tenantId, filePath, after }: LinkFilter,
) {
  return db
    .select({
      id: shareLinks.id,
      ref: shareLinks.ref,
      filePath: files.path,
      tenantId: tenants.tenantId,
      createdAt: shareLinks.createdAt,
      expiresAt: shareLinks.expiresAt,
      maxDownloads: shareLinks.maxDownloads,
      downloads: shareLinks.downloads,
      hasPassword: sql<boolean>`${shareLinks.passwordHash} is not null`,
      disposition: shareLinks.disposition,
    })
    .from(shareLinks)
    .innerJoin(files, and(eq(files.projectId, shareLinks.projectId), eq(files.id, shareLinks.fileId)))
    .innerJoin(tenants, and(isTenantOfFile(), eq(tenants.id, shareLinks.tenant)))
    .where(
      and(
        eq(shareLinks.projectId, projectId),
        ref === undefined ? undefined : eq(shareLinks.ref, ref),
        tenantId === undefined ? undefined : eq(tenants.tenantId, tenantId),
        filePath === undefined ? undefined : eq(files.path, filePath),
        after === undefined ? undefined : lt(shareLinks.id, after),
      ),
    )
    .orderBy(desc(shareLinks.id));
}

export function toLinkRecord({
  id: _,
  ref,
  createdAt,
  expiresAt,
  ...rest
}: Awaited<ReturnType<typeof selectLinks>>[number]): LinkRecord {
  return {
    linkId: ref,
    ...rest,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}
