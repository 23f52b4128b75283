import { type CreateLinkRequest, limits, StowageError } from "@stowage/schemas";
import { and, count, eq, not } from "drizzle-orm";
import type { ProjectActor } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import type { DashboardAddress } from "#auth/dashboard-address.js";
import { hashToken } from "#auth/one-time-token.js";
import type { LinkPasswords } from "#auth/scrypt-queue.js";
import { inTransaction, type Queries, type Transaction } from "#db/client.js";
import { files, shareLinks } from "#db/schema/index.js";
import { type LinkRecord, selectLinks, toLinkRecord } from "#files/list/list-links.js";
import { isFile } from "#files/record/file-conditions.js";
import { findFileAndTenant, type FoundFile } from "#files/record/find-file.js";
import { findArrivedFile, type FindArrivedFileDeps } from "#files/settle/find-arrived-file.js";
import { type RandomBytes, randomRef } from "#lib/random.js";
import { addMs, SECOND_MS } from "#lib/time.js";
import type { Project } from "#projects/find-project.js";
import { createLinkToken } from "./link-token.js";
import { isOpen } from "./open-link.js";

export interface CreateLinkDeps {
  db: Queries;
  clock: () => Date;
  randomBytes: RandomBytes;
  dashboard: Pick<DashboardAddress, "url">;
  linkPasswords: LinkPasswords;
}

/** A link and its URL, which contains the token. */
export type CreatedLink = LinkRecord & { url: string };

/**
 * Creates a link with which everyone who has it can download a stored file. Whether the file may be handed out is decided at each use.
 *
 * @throws {StowageError} `file_not_found`, also for a file that is not stored; `invalid_request` for a link too many of the file;
 * `too_many_requests` if too many passwords are being hashed; `unavailable`
 */
export async function createLink(
  deps: CreateLinkDeps & FindArrivedFileDeps,
  project: Project,
  input: CreateLinkRequest,
): Promise<CreatedLink> {
  const found = await findArrivedFile(deps, project, input, { ifStorageIsDown: "return recorded" });
  const link = await prepareLink(deps, project, found, input);
  return inTransaction(deps.db, (_, tx) => insertLink(tx, link));
}

/**
 * The same for an operator, with an audit entry. Storage is not asked.
 *
 * @throws {StowageError} as {@link createLink}
 */
export async function createLinkAudited(
  deps: CreateLinkDeps,
  actor: ProjectActor,
  input: CreateLinkRequest,
): Promise<CreatedLink> {
  const { project } = actor;
  const link = await prepareLink(deps, project, await findFileAndTenant(deps, project, input), input);
  return auditedTransaction(deps, actor, async (_, tx) => {
    const created = await insertLink(tx, link);
    return {
      result: created,
      entry: { action: "link.created", projectId: project.id, details: detailsOf(created) },
    };
  });
}

/** What the audit log has of a link. */
export function detailsOf({ linkId, filePath, tenantId, expiresAt, maxDownloads, hasPassword }: LinkRecord) {
  return { linkId, path: filePath, tenantId, expiresAt, maxDownloads, hasPassword };
}

interface PreparedLink {
  values: typeof shareLinks.$inferInsert;
  url: string;
}

async function prepareLink(
  deps: CreateLinkDeps,
  project: Project,
  { file }: Pick<FoundFile, "file">,
  { expiresAfter, maxDownloads, password, disposition = "attachment" }: CreateLinkRequest,
): Promise<PreparedLink> {
  if (file.status !== "stored") throw new StowageError("file_not_found");
  const token = createLinkToken(project, deps.randomBytes);
  const passwordHash =
    password === undefined ? null : await deps.linkPasswords.hash(`project ${project.id}`, password);
  const createdAt = deps.clock();
  const values = {
    projectId: project.id,
    ref: randomRef(deps.randomBytes),
    fileId: file.id,
    tenant: file.tenant,
    tokenHash: hashToken(token),
    passwordHash,
    disposition,
    createdAt,
    expiresAt: expiresAfter === undefined ? null : addMs(createdAt, expiresAfter * SECOND_MS),
    maxDownloads: maxDownloads ?? null,
  };
  return { values, url: `${deps.dashboard.url()}/s/${token}` };
}

async function insertLink(tx: Transaction, { values, url }: PreparedLink): Promise<CreatedLink> {
  const { projectId, fileId: id } = values;
  // Its row may have been removed meanwhile. The lock lets links of a file be created one after the other, so that they can be counted.
  const [file] = await tx
    .select({ id: files.id })
    .from(files)
    .where(isFile({ projectId, id }))
    .for("no key update");
  if (!file) throw new StowageError("file_not_found");
  await makeRoom(tx, values);
  await tx.insert(shareLinks).values(values);
  const [row] = await selectLinks(tx, { projectId, ref: values.ref });
  return { ...toLinkRecord(row!), url };
}

/** Removes the links of the file that have ended if there are too many. @throws {StowageError} `invalid_request` if all of them work */
async function makeRoom(tx: Transaction, { projectId, fileId, createdAt }: PreparedLink["values"]) {
  const ofFile = and(eq(shareLinks.projectId, projectId), eq(shareLinks.fileId, fileId));
  const [row] = await tx.select({ links: count() }).from(shareLinks).where(ofFile);
  if (row!.links < limits.linksPerFile) return;
  const ended = and(ofFile, not(isOpen(createdAt)!));
  const removed = await tx.delete(shareLinks).where(ended).returning({ id: shareLinks.id });
  if (removed.length === 0)
    throw new StowageError("invalid_request", {
      detail: `A file can have at most ${limits.linksPerFile} links that work: revoke one of them`,
    });
}
