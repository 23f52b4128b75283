import type { Role } from "@stowage/operator-schemas";
import type { AnyProcedure } from "@trpc/server";
import type { createExports } from "#http/export-lists.js";
import type { AppRouter } from "#trpc/router.js";
import type { Target } from "./target.js";

/** The path of every procedure, such as `files.list`. */
export type ProcedurePath = PathsOf<AppRouter["_def"]["record"]>;

type PathsOf<Router> = {
  [Name in keyof Router & string]: Router[Name] extends AnyProcedure
    ? Name
    : `${Name}.${PathsOf<Router[Name]>}`;
}[keyof Router & string];

export interface DashboardCase {
  /** A valid input that names resources of the target. The project's ref is added for procedures of a project. */
  input(target: Target): object;
  /**
   * The status if the target is the caller's own: it shows that the call would work. Null for a call that is always
   * refused, because its one-time link is not valid. @default 200
   */
  allowed?: number | null;
  /** The allowed call uses its target up, so it needs one of its own. */
  usesUp?: true;
}

const nothing: DashboardCase = { input: () => ({}) };
const aFile: DashboardCase = { input: ({ fileId }) => ({ fileId }) };
const aVersion: DashboardCase = {
  input: ({ path, versionPath }) => ({ filePath: path, version: versionPath }),
};
const anEndpoint: DashboardCase = { input: ({ endpointRef }) => ({ endpointRef }) };
const aDelivery: DashboardCase = {
  input: ({ endpointRef, webhookEventId }) => ({ endpointRef, eventId: webhookEventId }),
};
const upload = { filename: "a.txt", size: 1 };
const PASSWORD = "a long enough password";

/** A call of each procedure. A new procedure without a call does not compile. */
export const procedureCases: Record<ProcedurePath, Record<string, DashboardCase>> = {
  "setup.status": { "": nothing },
  "setup.finish": {
    "an invitation's token": {
      input: ({ invitationToken, invitationEmail }) => ({
        token: invitationToken,
        name: "A Person",
        email: invitationEmail,
        password: PASSWORD,
      }),
      allowed: null,
    },
  },
  "passwordReset.read": {
    "an invitation's token": { input: ({ invitationToken }) => ({ token: invitationToken }), allowed: null },
  },
  "passwordReset.finish": {
    "an invitation's token": {
      input: ({ invitationToken }) => ({ token: invitationToken, password: PASSWORD }),
      allowed: null,
    },
  },
  "session.me": { "": nothing },
  "session.list": { "": nothing },
  "session.signInMethods": { "": nothing },
  "session.disconnectOidc": { "": nothing },
  "session.end": { "a session": { input: ({ sessionId }) => ({ sessionId }), usesUp: true } },
  "session.endOthers": { "": nothing },
  "session.activity": { "a cursor": { input: ({ cursors }) => ({ cursor: cursors.audit }) } },
  // No caller of this test is an administrator.
  "operators.list": { "a name": { input: ({ name }) => ({ q: name }), allowed: 403 } },
  "operators.setProjectGrant": {
    "a member": { input: ({ memberId }) => ({ operatorId: memberId, isGranted: true }), allowed: 403 },
  },
  "operators.endSessions": {
    "a member": { input: ({ memberId }) => ({ operatorId: memberId }), allowed: 403 },
  },
  "projects.list": {
    "a name": { input: ({ name }) => ({ q: name }) },
    "a name, with usage": { input: ({ name }) => ({ q: name, withUsage: true }) },
    "a cursor": { input: ({ cursors }) => ({ cursor: cursors.projects }) },
  },
  "projects.create": { "a name": { input: ({ name }) => ({ name }) } },
  "projects.storages": { "": nothing },
  "projects.read": { "": nothing },
  "projects.pages": { "": nothing },
  "projects.delete": { "a name": { input: ({ name }) => ({ name }), usesUp: true } },
  "settings.rename": { "a name": { input: ({ name }) => ({ name }) } },
  "settings.update": { "": { input: () => ({ defaultQuotaBytes: 1_000_000 }) } },
  "key.describe": { "": nothing },
  "key.regenerate": { "a name": { input: ({ name }) => ({ name }) } },
  "overview.read": { "": nothing },
  "overview.perDay": { "": nothing },
  "overview.refusals": { "": nothing },
  "overview.newestUploads": { "": nothing },
  "overview.uploads": { "an event": { input: ({ eventId }) => ({ lastEventId: eventId }) } },
  // No caller of this test is an administrator.
  "health.read": { "": { ...nothing, allowed: 403 } },
  "health.requests": { "": { ...nothing, allowed: 403 } },
  "health.refusedRequests": { "": nothing, "a reason": { input: () => ({ code: "file_not_found" }) } },
  "tenants.list": {
    "a cursor": { input: ({ cursors }) => ({ cursor: cursors.tenants }) },
    "a cursor by name": { input: ({ cursors }) => ({ cursor: cursors.tenantNames, sort: "tenant_id" }) },
    "a tenant": { input: ({ tenantId }) => ({ q: tenantId, sort: "tenant_id" }) },
  },
  "tenants.count": { "": nothing, "a tenant": { input: ({ tenantId }) => ({ q: tenantId }) } },
  "tenants.read": { "a tenant": { input: ({ tenantId }) => ({ tenantId }) } },
  "tenants.usagePerDay": { "a tenant": { input: ({ tenantId }) => ({ tenantId }) } },
  "tenants.setLimits": { "a tenant": { input: ({ tenantId }) => ({ tenantId, quotaBytes: 1 }) } },
  "tenants.delete": {
    "a tenant": { input: ({ tenantId }) => ({ tenantId, confirmation: tenantId }), usesUp: true },
  },
  "plans.list": { "": nothing },
  "plans.save": { "a plan": { input: ({ tenantId }) => ({ name: tenantId, maxFiles: 1 }) } },
  // A tenant of the target has its plan.
  "plans.delete": { "a plan": { input: ({ tenantId }) => ({ name: tenantId }), allowed: 409 } },
  "files.list": {
    "a cursor": { input: ({ cursors }) => ({ cursor: cursors.browse }) },
    "a tenant": { input: ({ tenantId }) => ({ tenantId }) },
    "a file name": { input: ({ filename }) => ({ q: filename, sort: "filename" }) },
    "a folder": { input: ({ folder }) => ({ folder }) },
    "a folder of a tenant": { input: ({ tenantId, folder }) => ({ tenantId, folder }) },
  },
  "files.folders": {
    "a tenant": { input: ({ tenantId }) => ({ tenantId }) },
    "a folder": { input: ({ tenantId, folder }) => ({ tenantId, parent: folder }) },
    // A cursor of another list.
    "a cursor": { input: ({ tenantId, cursors }) => ({ tenantId, cursor: cursors.browse }), allowed: 400 },
  },
  "files.update": {
    "a file": { input: ({ fileId }) => ({ fileId, filename: "stolen.txt", folder: "stolen" }) },
    "an upload": { input: ({ pendingFileId }) => ({ fileId: pendingFileId, filename: "stolen.txt" }) },
  },
  "files.count": {
    "": nothing,
    "a tenant": { input: ({ tenantId }) => ({ tenantId }) },
    "a file name": { input: ({ filename }) => ({ q: filename }) },
  },
  "files.read": {
    "a file": aFile,
    "an upload": { input: ({ pendingFileId }) => ({ fileId: pendingFileId }) },
  },
  "files.history": { "a file": aFile },
  "files.variants": { "a file": aFile },
  "files.retryVariants": { "a file": aFile },
  "files.versions": { "a file": aFile },
  "files.versionLink": { "a file and a version": aVersion },
  "files.restoreVersion": { "a file and a version": { ...aVersion, usesUp: true } },
  "files.links": { "a file": aFile },
  "files.thumbnails": { "a file": { input: ({ fileId }) => ({ fileIds: [fileId] }) } },
  "files.delete": {
    "a file": { input: ({ fileId }) => ({ fileIds: [fileId] }), usesUp: true },
    files: { input: ({ fileId, pendingFileId }) => ({ fileIds: [fileId, pendingFileId] }), usesUp: true },
  },
  "files.restore": { "a file": { input: ({ fileId }) => ({ fileIds: [fileId] }) } },
  "files.setVisibility": { "a file": { input: ({ fileId }) => ({ fileId, visibility: "private" }) } },
  "files.hold": { "a file": { input: ({ fileId }) => ({ fileIds: [fileId], hold: true }), usesUp: true } },
  "files.discardUploads": {
    "an upload": { input: ({ pendingFileId }) => ({ fileIds: [pendingFileId] }), usesUp: true },
    uploads: { input: ({ fileId, pendingFileId }) => ({ fileIds: [fileId, pendingFileId] }), usesUp: true },
  },
  "links.list": {
    "a file": { input: ({ path }) => ({ filePath: path }) },
    "a cursor": { input: ({ path, cursors }) => ({ filePath: path, cursor: cursors.links }) },
  },
  "links.create": { "a file": { input: ({ path }) => ({ filePath: path }) } },
  "links.revoke": { "a link": { input: ({ linkId }) => ({ linkId }), usesUp: true } },
  "quarantine.list": { "": nothing },
  // The file of the target is not in quarantine.
  "quarantine.release": {
    "a file": { input: ({ fileId }) => ({ fileId, etag: '"e"' }), allowed: 404 },
  },
  "members.list": { "": nothing },
  "members.invite": {
    "a member": { input: ({ invitationEmail }) => ({ email: `x${invitationEmail}`, role: "owner" }) },
  },
  "members.revokeInvitation": {
    "an invitation": { input: ({ invitationId }) => ({ invitationId }), usesUp: true },
  },
  "members.readInvitation": {
    "a revoked token": { input: ({ revokedToken }) => ({ token: revokedToken }), allowed: null },
  },
  "members.accept": {
    "a revoked token": {
      input: ({ revokedToken }) => ({ token: revokedToken, name: "A Person", password: PASSWORD }),
      allowed: null,
    },
  },
  "members.changeRole": {
    "a member": { input: ({ memberId }) => ({ operatorId: memberId, role: "owner" }) },
  },
  "members.remove": { "a member": { input: ({ memberId }) => ({ operatorId: memberId }), usesUp: true } },
  "tryIt.request": { "": { input: () => upload } },
  "tryIt.complete": {
    // The bytes of the upload never arrived.
    "a path": { input: ({ tryItPath }) => ({ file_path: tryItPath }), allowed: 409 },
    "a path of another tenant": { input: ({ path }) => ({ file_path: path }), allowed: 404 },
  },
  "presets.list": { "": nothing },
  "presets.troubles": { "": nothing },
  "presets.retry": { "": nothing },
  "presets.save": { "": { input: () => ({ name: "thumb", width: 10 }) } },
  "presets.delete": { "a preset": { input: ({ tenantId }) => ({ name: tenantId }), usesUp: true } },
  "webhooks.list": { "": nothing },
  "webhooks.create": { "": { input: () => ({ url: "https://example.com/", events: ["file.stored"] }) } },
  "webhooks.change": {
    "an endpoint": { input: ({ endpointRef }) => ({ endpointRef, description: "changed" }) },
  },
  "webhooks.rotateSecret": { "an endpoint": anEndpoint },
  "webhooks.delete": { "an endpoint": { input: ({ spareEndpointRef: endpointRef }) => ({ endpointRef }) } },
  "webhooks.sendTest": { "an endpoint": anEndpoint },
  "webhooks.deliveries": { "an endpoint": anEndpoint },
  "webhooks.readDelivery": { "a delivery": aDelivery },
  "webhooks.redeliver": { "a delivery": aDelivery },
  "webhooks.redeliverSince": {
    "an endpoint": { input: ({ endpointRef }) => ({ endpointRef, since: "2026-01-01T00:00:00Z" }) },
  },
  "audit.list": {
    "a cursor": { input: ({ cursors }) => ({ cursor: cursors.audit }) },
    "a member": { input: ({ memberId }) => ({ operatorId: memberId }) },
    "a file name": { input: ({ filename }) => ({ q: filename }) },
  },
};

export type ExportName = keyof ReturnType<typeof createExports>;

/** A query of each `GET /dashboard/export/….csv`, and the role that it needs. A new export without one does not compile. */
export const exportCases: Record<
  ExportName,
  { role: "operator" | Role; cases: Record<string, DashboardCase> }
> = {
  files: {
    role: "viewer",
    cases: {
      "": nothing,
      "a tenant": { input: ({ tenantId }) => ({ tenantId }) },
      "a file name": { input: ({ filename }) => ({ q: filename }) },
      "a folder": { input: ({ folder }) => ({ folder }) },
    },
  },
  tenants: { role: "viewer", cases: { "a tenant": { input: ({ tenantId }) => ({ q: tenantId }) } } },
  projects: { role: "operator", cases: { "a name": { input: ({ name }) => ({ q: name }) } } },
  audit: {
    role: "owner",
    cases: { "": nothing, "a file name": { input: ({ filename }) => ({ q: filename }) } },
  },
};
