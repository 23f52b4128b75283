import { type RevokeLinkRequest, StowageError } from "@stowage/schemas";
import { and, eq } from "drizzle-orm";
import type { ProjectActor } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import { inTransaction, type Queries, type Transaction } from "#db/client.js";
import { shareLinks } from "#db/schema/index.js";
import { type LinkRecord, selectLinks, toLinkRecord } from "#files/list/list-links.js";
import type { Project } from "#projects/find-project.js";
import { detailsOf } from "./create-link.js";

/**
 * Ends a link. A URL to which it has redirected stays valid until its own end.
 *
 * @returns the link as it was
 * @throws {StowageError} `link_not_found`, also for a link of another project, tenant or file, and for one that was revoked before;
 * `unavailable`
 */
export function revokeLink(
  deps: { db: Queries },
  project: Project,
  input: RevokeLinkRequest,
): Promise<LinkRecord> {
  return inTransaction(deps.db, (_, tx) => removeLink(tx, project, input));
}

/**
 * The same for an operator, with an audit entry.
 *
 * @throws {StowageError} as {@link revokeLink}
 */
export function revokeLinkAudited(
  deps: { db: Queries; clock: () => Date },
  actor: ProjectActor,
  input: RevokeLinkRequest,
): Promise<LinkRecord> {
  const { project } = actor;
  return auditedTransaction(deps, actor, async (_, tx) => {
    const result = await removeLink(tx, project, input);
    const details = { ...detailsOf(result), downloads: result.downloads };
    return { result, entry: { action: "link.revoked", projectId: project.id, details } };
  });
}

async function removeLink(
  tx: Transaction,
  project: Project,
  { linkId, tenantId, filePath }: RevokeLinkRequest,
): Promise<LinkRecord> {
  const link = { projectId: project.id, ref: linkId, tenantId, filePath };
  // Locked, so that the answer has every download.
  const [row] = await selectLinks(tx, link).for("update", { of: shareLinks });
  if (!row) throw new StowageError("link_not_found");
  await tx.delete(shareLinks).where(and(eq(shareLinks.projectId, project.id), eq(shareLinks.id, row.id)));
  return toLinkRecord(row);
}
