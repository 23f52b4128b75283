import { limits, StowageError } from "@stowage/schemas";
import { and, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import { bucketOf } from "#auth/budget-of-call.js";
import { withPasswordBudget } from "#auth/password-budget.js";
import type { LinkPasswords } from "#auth/scrypt-queue.js";
import type { Queries } from "#db/client.js";
import { files, shareLinks } from "#db/schema/index.js";
import { type CreateDownloadDeps, prepareDownload } from "#deliver/create-download.js";
import { MINUTE_MS } from "#lib/time.js";
import type { Project } from "#projects/find-project.js";

export interface OpenLinkDeps extends CreateDownloadDeps {
  /** For the count of downloads and of wrong passwords. */
  counting: Queries;
  linkPasswords: Pick<LinkPasswords, "verify">;
}

export interface LinkUse {
  tokenHash: string;
  /** The result of `clientNetwork`. */
  client: string;
  /** Undefined: the visitor has not sent one yet. */
  password?: string | undefined;
  /** Only looks whether the link works: nothing is counted, and no URL is answered. */
  isCheck: boolean;
}

/** A URL of 60 seconds, null for a check; or that the link needs a password. */
export type OpenedLink = { url: string | null } | { needsPassword: true; isWrong: boolean };

/** Then ten tries, as of operators, take an hour to come back. */
const TRY_BACK_MS = 6 * MINUTE_MS;

/**
 * Opens a link for a visitor. What holds for a download at this moment holds here too: the state of the file, its end, its scan and its
 * visibility. The download is counted after its URL was signed and before it is answered.
 *
 * @throws {StowageError} `link_not_found` if the link is unknown, revoked, over or used up, or its file cannot be downloaded now;
 * `too_many_requests` if the client has sent ten wrong passwords for this link within an hour, or the service is checking too many
 * passwords; `unavailable`
 */
export async function openLink(deps: OpenLinkDeps, project: Project, use: LinkUse): Promise<OpenedLink> {
  const link = await findLink(deps, project, use.tokenHash);
  const { download, count } = await prepare(deps, project, link);
  if (link.passwordHash !== null) {
    if (use.isCheck || use.password === undefined) return { needsPassword: true, isWrong: false };
    if (!(await isRightPassword(deps, link.passwordHash, use))) return { needsPassword: true, isWrong: true };
  }
  if (use.isCheck) return { url: null };
  await countDownload(deps, project, link.id);
  count();
  return { url: download.presignedUrl };
}

type FoundLink = Awaited<ReturnType<typeof findLink>>;

async function findLink({ db, clock }: OpenLinkDeps, project: Project, tokenHash: string) {
  const [link] = await db.run((drizzle) =>
    drizzle
      .select({
        id: shareLinks.id,
        filePath: files.path,
        passwordHash: shareLinks.passwordHash,
        disposition: shareLinks.disposition,
      })
      .from(shareLinks)
      .innerJoin(files, and(eq(files.projectId, shareLinks.projectId), eq(files.id, shareLinks.fileId)))
      .where(and(eq(shareLinks.projectId, project.id), eq(shareLinks.tokenHash, tokenHash), isOpen(clock()))),
  );
  if (!link) throw new StowageError("link_not_found");
  return link;
}

/** Whether the link has not ended and has downloads left. */
export const isOpen = (now: Date) =>
  and(
    or(isNull(shareLinks.expiresAt), gt(shareLinks.expiresAt, now)),
    or(isNull(shareLinks.maxDownloads), lt(shareLinks.downloads, shareLinks.maxDownloads)),
  );

async function prepare(deps: OpenLinkDeps, project: Project, { filePath, disposition }: FoundLink) {
  try {
    const input = { filePath, disposition, expiresIn: limits.linkUrlSeconds };
    return await prepareDownload(deps, project, input);
  } catch (cause) {
    if (!(cause instanceof StowageError)) throw cause;
    switch (cause.code) {
      case "file_not_found":
      case "file_not_scanned":
      case "file_quarantined":
        throw new StowageError("link_not_found", { cause });
      default:
        throw cause;
    }
  }
}

const WRONG_PASSWORD = Symbol("wrong password");

async function isRightPassword(
  { counting, clock, linkPasswords }: OpenLinkDeps,
  hash: string,
  { tokenHash, client, password = "" }: LinkUse,
): Promise<boolean> {
  const check = async () => {
    if (!(await linkPasswords.verify(client, { hash, password }))) throw WRONG_PASSWORD;
    return true;
  };
  const isWrong = (error: unknown) => error === WRONG_PASSWORD;
  const bucket = bucketOf(tokenHash, "share link", client);
  try {
    return await withPasswordBudget({ db: counting, clock }, bucket, check, isWrong, TRY_BACK_MS);
  } catch (error) {
    if (isWrong(error)) return false;
    throw error;
  }
}

/** One statement, which checks the link again: concurrent downloads wait for the lock of its row and never exceed its limit. */
async function countDownload({ counting, clock }: OpenLinkDeps, project: Project, id: number): Promise<void> {
  const counted = await counting.run((drizzle) =>
    drizzle
      .update(shareLinks)
      .set({ downloads: sql`${shareLinks.downloads} + 1` })
      .where(and(eq(shareLinks.projectId, project.id), eq(shareLinks.id, id), isOpen(clock())))
      .returning({ id: shareLinks.id }),
  );
  if (counted.length === 0) throw new StowageError("link_not_found");
}
