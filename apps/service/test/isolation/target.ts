import { randomBytes } from "node:crypto";
import { anOwnedProject, aPerson, type Person } from "../fixtures/a-person.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { anOpenUpload, anUpload, call } from "../fixtures/call.js";
import { createEventId } from "#webhooks/event-id.js";
import { queryDatabase } from "../fixtures/direct-access.js";

/** What a request can name of one project: the project itself, and one resource of each kind in it. */
export interface Target {
  projectRef: string;
  name: string;
  tenantId: string;
  filename: string;
  /** The folder of the stored file. */
  folder: string;
  /** A stored file. */
  path: string;
  fileId: number;
  /** A version of the stored file. */
  versionPath: string;
  /** A share link of the stored file. */
  linkId: string;
  /** A job for a folder without files. The service of these tests runs no jobs. */
  jobId: string;
  /** An upload without bytes, requested with `idempotencyKey`. */
  pendingPath: string;
  pendingFileId: number;
  idempotencyKey: string;
  /** An open upload by parts. */
  partsPath: string;
  /** Cursors of the project's lists. */
  cursors: Record<
    "files" | "uploads" | "tenants" | "tenantNames" | "browse" | "audit" | "projects" | "events" | "links",
    string
  >;
  /** An upload of the dashboard's "Try it" page, without bytes. */
  tryItPath: string;
  /** The id of an event of the feed of uploads. */
  eventId: string;
  /** An endpoint of webhooks, one that a call may delete, and an event for the first one. */
  endpointRef: string;
  spareEndpointRef: string;
  webhookEventId: string;
  /** A member beside the owner. */
  memberId: string;
  memberEmail: string;
  /** A session of the owner, on another device. */
  sessionId: string;
  invitationId: number;
  invitationEmail: string;
  /** The token of an open invitation. */
  invitationToken: string;
  /** The token of an invitation that was revoked. */
  revokedToken: string;
}

/** A target that the caller can reach, with the keys to it. */
export type OwnTarget = Target & { apiKey: string };

/**
 * Creates a project of `owner` with one of each.
 *
 * @param member another operator, who becomes a viewer
 */
export async function aTarget(url: string, owner: Person, member: Person): Promise<OwnTarget> {
  const project = await anOwnedProject(owner);
  const { projectRef, apiKey } = project;
  await owner.mutate("settings.update", { projectRef, trashDays: 7, maxVersions: 3 });
  const mark = randomBytes(6).toString("hex");
  const tenantId = `tenant-${mark}`;
  const filename = `report-${mark}.txt`;
  const folder = `folder-${mark}/${mark}`;
  const idempotencyKey = `key-${mark}`;
  const [pending] = await Promise.all([
    anUpload(url, apiKey, { tenant_id: tenantId, filename }, { "Idempotency-Key": idempotencyKey }),
    aStoredFile(url, apiKey, { tenant_id: `other-${mark}`, filename }),
  ]);
  const file = { tenant_id: tenantId, filename, folder, metadata: { note: mark } };
  const { stored, versionPath } = await aReplacedFile(url, apiKey, file);
  const parts = await anOpenUpload(url, apiKey, { tenant_id: tenantId, filename });
  await anOpenUpload(url, apiKey, { tenant_id: tenantId, filename });
  const tried = await owner.mutate<{ file_path: string }>("tryIt.request", { projectRef, filename, size: 1 });
  const memberId = await addViewer(projectRef, member.email);
  const [open, revoked] = [await anInvitation(owner, projectRef), await anInvitation(owner, projectRef)];
  await owner.mutate("members.revokeInvitation", { projectRef, invitationId: revoked.invitationId });
  // The preset and the plan have the name of the tenant.
  await owner.mutate("presets.save", { projectRef, name: tenantId, width: 10 });
  await aLink(url, apiKey, stored.file_path);
  const put = (body: object) => ({ key: apiKey, method: "PUT", body });
  await call(`${url}/api/storage/plans/`, put({ name: tenantId, max_files: 500 }));
  await call(`${url}/api/storage/limits/`, put({ tenant_id: tenantId, plan: tenantId }));
  return {
    ...project,
    tenantId,
    filename,
    folder,
    ...(await aLink(url, apiKey, stored.file_path)),
    jobId: await aJob(url, apiKey, tenantId),
    ...(await findFileIds(owner, projectRef, { path: stored.file_path, pendingPath: pending.file_path })),
    versionPath,
    idempotencyKey,
    partsPath: parts.file_path,
    cursors: await readCursors(url, owner, { ...project, tenantId }),
    tryItPath: tried.data.file_path,
    eventId: randomBytes(16).toString("base64url"),
    ...(await addWebhooks(owner, projectRef)),
    memberId,
    memberEmail: member.email,
    sessionId: await anotherSession(url, owner),
    invitationId: open.invitationId,
    invitationEmail: open.email,
    invitationToken: open.token,
    revokedToken: revoked.token,
  };
}

/** Returns a target in the same project with new files, for a request that uses them up. */
export async function withNewFiles(url: string, owner: Person, target: OwnTarget): Promise<OwnTarget> {
  const { apiKey, projectRef, tenantId, filename } = target;
  const pending = await anUpload(url, apiKey, { tenant_id: tenantId, filename });
  const { stored, versionPath } = await aReplacedFile(url, apiKey, { tenant_id: tenantId, filename });
  return {
    ...target,
    versionPath,
    ...(await aLink(url, apiKey, stored.file_path)),
    ...(await findFileIds(owner, projectRef, { path: stored.file_path, pendingPath: pending.file_path })),
  };
}

/** Returns a target of the same form that does not exist. */
export function ghostOf(target: Target): Target {
  return {
    projectRef: turn(target.projectRef),
    name: turn(target.name),
    tenantId: turn(target.tenantId),
    filename: turn(target.filename),
    folder: turn(target.folder),
    path: turnPath(target.path),
    fileId: 2_000_000_001,
    versionPath: turnPath(target.versionPath),
    linkId: turn(target.linkId),
    jobId: turn(target.jobId),
    pendingPath: turnPath(target.pendingPath),
    pendingFileId: 2_000_000_002,
    idempotencyKey: turn(target.idempotencyKey),
    partsPath: turnPath(target.partsPath),
    cursors: {
      files: turnCursor(target.cursors.files),
      uploads: turnCursor(target.cursors.uploads),
      tenants: turnCursor(target.cursors.tenants),
      tenantNames: turnCursor(target.cursors.tenantNames),
      browse: turnCursor(target.cursors.browse),
      audit: turnCursor(target.cursors.audit),
      projects: turnCursor(target.cursors.projects),
      events: turnCursor(target.cursors.events),
      links: turnCursor(target.cursors.links),
    },
    tryItPath: turnPath(target.tryItPath),
    eventId: turn(target.eventId),
    endpointRef: turn(target.endpointRef),
    spareEndpointRef: turn(target.spareEndpointRef),
    // Its other digits say that it is a UUID.
    webhookEventId: target.webhookEventId.replace(/[^-]*$/, turn),
    memberId: turn(target.memberId),
    memberEmail: target.memberEmail.replace(/^[^@]*/, turn),
    sessionId: turn(target.sessionId),
    invitationId: 2_000_000_003,
    invitationEmail: target.invitationEmail.replace(/^[^@]*/, turn),
    invitationToken: turn(target.invitationToken),
    revokedToken: turn(target.revokedToken),
  };
}

/** Replaces each digit by the next one. A random reference without a digit, which is rare, gets its upper and lower case swapped. */
function turn(text: string): string {
  if (/\d/.test(text)) return text.replaceAll(/\d/g, (digit) => String((Number(digit) + 1) % 10));
  return text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

const turnPath = (path: string) =>
  path
    .split("/")
    .map((part) => (/\d/.test(part) ? turn(part) : part))
    .join("/");

/**
 * Returns a cursor of the same list that ends at the next id. A cursor names a position and not a resource, and no entry of the
 * caller's own list is between these two.
 */
function turnCursor(cursor: string): string {
  const parts = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")) as unknown[];
  const index = parts.findLastIndex((part) => typeof part === "number");
  const other = parts.with(index, Number(parts[index]) + 1);
  return Buffer.from(JSON.stringify(other)).toString("base64url");
}

async function aReplacedFile(url: string, apiKey: string, file: { tenant_id: string; filename: string }) {
  const { file_path: versionPath } = await aStoredFile(url, apiKey, file);
  return { stored: await aStoredFile(url, apiKey, { ...file, size: 5, replaces: versionPath }), versionPath };
}

async function aLink(url: string, key: string, file_path: string) {
  const { body } = await call<{ link_id: string }>(`${url}/api/storage/links/`, { key, body: { file_path } });
  return { linkId: body.link_id };
}

async function aJob(url: string, key: string, tenant_id: string): Promise<string> {
  const body = { tenant_id, folder: "empty" };
  const started = await call<{ job_id: string }>(`${url}/api/storage/folders/delete/`, { key, body });
  return started.body.job_id;
}

async function addViewer(projectRef: string, email: string): Promise<string> {
  // Two statements, because Citus does not insert from a join.
  const [ids] = await queryDatabase<{ project_id: string; operator_id: string }>(
    `select p.id as project_id, o.id as operator_id from projects p, operators o where p.ref = $1 and o.email = $2`,
    [projectRef, email],
  );
  await queryDatabase(
    `insert into project_members (project_id, operator_id, role, created_at) values ($1, $2, 'viewer', now())`,
    [ids!.project_id, ids!.operator_id],
  );
  return ids!.operator_id;
}

async function addWebhooks(owner: Person, projectRef: string) {
  const create = async (description: string) => {
    const url = `https://${randomBytes(6).toString("hex")}.example.com/`;
    const input = { projectRef, url, description, events: ["file.stored"] };
    return (await owner.mutate<{ ref: string }>("webhooks.create", input)).data.ref;
  };
  const [endpointRef, spareEndpointRef] = [await create("one"), await create("spare")];
  const webhookEventId = createEventId(new Date(), randomBytes);
  // Written as failed: all tests share a database, so the service of another test would deliver a pending event and change the
  // project's state.
  await queryDatabase(
    `with endpoint as (select project_id, id from webhook_endpoints where ref = $1),
       event as (
         insert into webhook_events (project_id, id, type, subject, data, at)
         select project_id, $2::uuid, 'webhook.test', 'test:' || $2, jsonb_build_object('endpoint_ref', $1::text), now()
         from endpoint)
     insert into webhook_deliveries (project_id, endpoint, event, subject, seq, state)
     select project_id, id, $2::uuid, 'test:' || $2, 0, 'failed' from endpoint`,
    [endpointRef, webhookEventId],
  );
  return { endpointRef, spareEndpointRef, webhookEventId };
}

async function anotherSession(url: string, owner: Person): Promise<string> {
  const device = aPerson(url, owner.email);
  await device.signIn();
  const { data } = await device.query<{ sessionId: string; isCurrent: boolean }[]>("session.list");
  return data.find(({ isCurrent }) => isCurrent)!.sessionId;
}

async function anInvitation(owner: Person, projectRef: string) {
  const email = `invited-${randomBytes(6).toString("hex")}@example.com`;
  const invited = await owner.mutate<{ url: string }>("members.invite", {
    projectRef,
    email,
    role: "viewer",
  });
  const { data } = await owner.query<{ invitations: { invitationId: number; email: string }[] }>(
    "members.list",
    {
      projectRef,
    },
  );
  const { invitationId } = data.invitations.find((invitation) => invitation.email === email)!;
  return { email, invitationId, token: new URL(invited.data.url).hash.slice(1) };
}

async function findFileIds(
  owner: Person,
  projectRef: string,
  paths: { path: string; pendingPath: string },
): Promise<Pick<Target, "path" | "fileId" | "pendingPath" | "pendingFileId">> {
  const { data } = await owner.query<{ files: { id: number; path: string }[] }>("files.list", { projectRef });
  const idOf = (path: string) => data.files.find((file) => file.path === path)!.id;
  return { ...paths, fileId: idOf(paths.path), pendingFileId: idOf(paths.pendingPath) };
}

/** Each list has at least two entries, so its first page of one entry has a cursor. */
async function readCursors(
  url: string,
  owner: Person,
  { projectRef, apiKey, tenantId }: { projectRef: string; apiKey: string; tenantId: string },
): Promise<Target["cursors"]> {
  const first = { projectRef, limit: 1 };
  const next = (answer: { data: unknown }) => (answer.data as { nextCursor: string }).nextCursor;
  const rest = async (list: string, query = "") =>
    (await call<{ next_cursor: string }>(`${url}/api/storage/${list}/?limit=1${query}`, { key: apiKey })).body
      .next_cursor;
  return {
    files: await rest("files"),
    uploads: await rest("uploads", `&tenant_id=${tenantId}`),
    tenants: await rest("tenants"),
    tenantNames: next(await owner.query("tenants.list", { ...first, sort: "tenant_id" })),
    browse: next(await owner.query("files.list", first)),
    audit: next(await owner.query("audit.list", first)),
    projects: next(await owner.query("projects.list", { limit: 1 })),
    events: await rest("events"),
    links: await rest("links", `&tenant_id=${tenantId}`),
  };
}
