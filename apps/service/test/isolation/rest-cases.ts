import type { operations, OperationId } from "@stowage/schemas";
import type { OwnTarget, Target } from "./target.js";

/** The calls of customers: all that need an API key. */
export type KeyedOperation = {
  [Id in OperationId]: (typeof operations)[Id] extends { isPublic: true } ? never : Id;
}[OperationId];

export interface RestRequest {
  body?: object;
  query?: Record<string, string>;
  headers?: Record<string, string>;
}

/**
 * A request that names resources of `target`. The caller of the request has the key of `own`.
 *
 * `allowed` is the status if the target is the caller's own: it shows that the request would work. @default 200
 */
export interface RestCase {
  request(target: Target, own: OwnTarget): RestRequest;
  allowed?: number;
}

const oneFile: Record<string, RestCase> = {
  "a path": { request: ({ path }) => ({ body: { file_path: path } }) },
  "a path and its tenant": {
    request: ({ path, tenantId }) => ({ body: { file_path: path, tenant_id: tenantId } }),
  },
  "a path beside the caller's own tenant": {
    request: ({ path }, own) => ({ body: { file_path: path, tenant_id: own.tenantId } }),
  },
  "the caller's own path beside a tenant": {
    request: ({ tenantId }, own) => ({ body: { file_path: own.path, tenant_id: tenantId } }),
  },
  "the caller's own path in a folder of the project": {
    request: ({ path }, own) => ({ body: { file_path: inFolderOf(path, own.path) } }),
  },
};

/** Moves the file name of a path into the folder of another path. */
const inFolderOf = (folder: string, path: string) =>
  folder.replace(/[^/]*$/, "") + path.slice(path.lastIndexOf("/") + 1);

const onlyWithPath = (cases: Record<string, RestCase>, change: (one: RestCase) => RestCase) =>
  Object.fromEntries(Object.entries(cases).map(([name, one]) => [name, change(one)]));

/** The same requests about an upload without bytes. */
const onePendingFile = (allowed: number) =>
  onlyWithPath(oneFile, ({ request }) => ({
    allowed,
    request: (target, own) =>
      request({ ...target, path: target.pendingPath }, { ...own, path: own.pendingPath }),
  }));

/** The same requests about an upload by parts. */
const oneUploadByParts = (change: (request: RestRequest) => RestRequest) =>
  onlyWithPath(oneFile, ({ request }) => ({
    request: (target, own) =>
      change(request({ ...target, path: target.partsPath }, { ...own, path: own.partsPath })),
  }));

/** Names a file and a version, both of the target, or one of them of the caller. */
const oneVersion: Record<string, RestCase> = {
  ...onlyWithPath(oneFile, ({ request }) => ({
    request: (target, own) => {
      const body = request(target, own).body as { file_path: string };
      const { versionPath } = body.file_path === own.path ? own : target;
      return { body: { ...body, version: versionPath } };
    },
  })),
  "a version": {
    request: ({ versionPath }, own) => ({ body: { file_path: own.path, version: versionPath } }),
  },
  "a path beside the caller's own version": {
    request: ({ path }, own) => ({ body: { file_path: path, version: own.versionPath } }),
  },
};

/** The same requests with the members in the query. */
const inQuery = onlyWithPath(oneFile, ({ request }) => ({
  request: (target, own) => ({ query: request(target, own).body as Record<string, string> }),
}));

/** Requests of each call. A new call without requests does not compile. */
export const restCases: Record<KeyedOperation, Record<string, RestCase>> = {
  requestUpload: {
    "a tenant": { request: ({ tenantId }) => ({ body: { tenant_id: tenantId, filename: "a.txt" } }) },
    "an Idempotency-Key with its request": {
      request: ({ tenantId, filename, idempotencyKey }) => ({
        body: { tenant_id: tenantId, filename },
        headers: { "Idempotency-Key": idempotencyKey },
      }),
    },
    "an Idempotency-Key with another request": {
      request: ({ idempotencyKey }, own) => ({
        body: { tenant_id: own.tenantId, filename: "b.txt" },
        headers: { "Idempotency-Key": idempotencyKey },
      }),
      // The caller's own key was used for another request.
      allowed: 422,
    },
    "the file to replace": {
      request: ({ path }, own) => ({
        body: { tenant_id: own.tenantId, filename: "a.txt", size: 1, replaces: path },
      }),
    },
    "a path as the file name": {
      request: ({ path }, own) => ({ body: { tenant_id: own.tenantId, filename: `../../../${path}` } }),
    },
  },
  openUpload: {
    "a tenant": {
      request: ({ tenantId }) => ({ body: { tenant_id: tenantId, filename: "a.txt", size: 1 } }),
    },
    "an Idempotency-Key with another request": {
      request: ({ idempotencyKey }, own) => ({
        body: { tenant_id: own.tenantId, filename: "b.txt", size: 1 },
        headers: { "Idempotency-Key": idempotencyKey },
      }),
      allowed: 422,
    },
    "a path as the file name": {
      request: ({ path }, own) => ({
        body: { tenant_id: own.tenantId, filename: `../../../${path}`, size: 1 },
      }),
    },
  },
  signParts: {
    ...oneUploadByParts(({ body }) => ({ body: { ...body, parts: [{ number: 1 }] } })),
    ...prefixed(
      "single PUT: ",
      onlyWithPath(onePendingFile(400), (one) => ({
        ...one,
        request: (target, own) => ({
          body: { ...one.request(target, own).body, parts: [{ number: 1 }] },
        }),
      })),
    ),
  },
  listParts: {
    ...oneUploadByParts(({ body }) => ({ query: body as Record<string, string> })),
    "a cursor": {
      request: ({ partsPath, cursors }, own) => ({
        query: { file_path: partsPath, tenant_id: own.tenantId, cursor: cursors.files },
      }),
      // A cursor of another list.
      allowed: 400,
    },
  },
  listUploads: {
    "a tenant": { request: ({ tenantId }) => ({ query: { tenant_id: tenantId } }) },
    "a cursor": {
      request: ({ cursors }, own) => ({ query: { tenant_id: own.tenantId, cursor: cursors.uploads } }),
    },
  },
  completeUpload: { ...oneFile, ...prefixed("pending: ", onePendingFile(409)) },
  cancelUpload: {
    ...onePendingFile(200),
    ...prefixed(
      "stored: ",
      onlyWithPath(oneFile, (one) => ({ ...one, allowed: 409 })),
    ),
  },
  createDownload: { ...oneFile, ...prefixed("version: ", oneVersion) },
  createDownloads: {
    "a list of paths": {
      request: ({ path, pendingPath }) => ({ body: { file_paths: [path, pendingPath], reuse: true } }),
    },
    "a list of paths and their tenant": {
      request: ({ path, tenantId }) => ({ body: { file_paths: [path], tenant_id: tenantId } }),
    },
    "a path beside the caller's own": {
      request: ({ path }, own) => ({ body: { file_paths: [own.path, path], tenant_id: own.tenantId } }),
    },
    "the caller's own paths beside a tenant": {
      request: ({ tenantId }, own) => ({ body: { file_paths: [own.path], tenant_id: tenantId } }),
    },
  },
  createLink: oneFile,
  listLinks: {
    ...inQuery,
    "a tenant": { request: ({ tenantId }) => ({ query: { tenant_id: tenantId } }) },
    "a cursor": {
      request: ({ cursors }, own) => ({ query: { tenant_id: own.tenantId, cursor: cursors.links } }),
    },
  },
  revokeLink: {
    "a link": { request: ({ linkId }) => ({ body: { link_id: linkId } }) },
    "a link and its tenant": {
      request: ({ linkId, tenantId }) => ({ body: { link_id: linkId, tenant_id: tenantId } }),
    },
    "a link beside the caller's own tenant": {
      request: ({ linkId }, own) => ({ body: { link_id: linkId, tenant_id: own.tenantId } }),
    },
    "a link and its file": {
      request: ({ linkId, path }) => ({ body: { link_id: linkId, file_path: path } }),
    },
    "the caller's own link beside a file": {
      request: ({ path }, own) => ({ body: { link_id: own.linkId, file_path: path } }),
    },
    "the caller's own link beside a tenant": {
      request: ({ tenantId }, own) => ({ body: { link_id: own.linkId, tenant_id: tenantId } }),
    },
  },
  // The project of this test does not scan with its own scanner, so its own file is refused with 400.
  reportScan: onlyWithPath(oneFile, ({ request }) => ({
    allowed: 400,
    request: (target, own) => ({ body: { ...request(target, own).body, verdict: "clean" } }),
  })),
  deleteFiles: {
    ...oneFile,
    ...prefixed("pending: ", onePendingFile(200)),
    "a list of paths": {
      request: ({ path, pendingPath }) => ({ body: { file_paths: [path, pendingPath] } }),
    },
    "a list of paths and their tenant": {
      request: ({ path, pendingPath, tenantId }) => ({
        body: { file_paths: [path, pendingPath], tenant_id: tenantId },
      }),
    },
    "the caller's own paths beside a tenant": {
      request: ({ tenantId }, own) => ({
        body: { file_paths: [own.path, own.pendingPath], tenant_id: tenantId },
      }),
    },
  },
  restoreFiles: {
    // The caller's own file is not in the trash.
    ...onlyWithPath(oneFile, (one) => ({ ...one, allowed: 404 })),
    "a list of paths": {
      request: ({ path, pendingPath }) => ({ body: { file_paths: [path, pendingPath] } }),
    },
  },
  listVersions: inQuery,
  restoreVersion: oneVersion,
  holdFile: onlyWithPath(oneFile, ({ request }) => ({
    request: (target, own) => ({ body: { ...request(target, own).body, hold: true } }),
  })),
  setVisibility: onlyWithPath(oneFile, ({ request }) => ({
    request: (target, own) => ({ body: { ...request(target, own).body, visibility: "private" } }),
  })),
  updateFile: onlyWithPath(oneFile, ({ request }) => ({
    request: (target, own) => ({ body: { ...request(target, own).body, metadata: { seen: "yes" } } }),
  })),
  findFile: inQuery,
  listFiles: {
    "a tenant": { request: ({ tenantId }) => ({ query: { tenant_id: tenantId } }) },
    "a cursor": { request: ({ cursors }) => ({ query: { cursor: cursors.files } }) },
    "a cursor and a tenant": {
      request: ({ cursors, tenantId }) => ({ query: { cursor: cursors.files, tenant_id: tenantId } }),
    },
    "a file name": { request: ({ filename }) => ({ query: { q: filename } }) },
    "a folder": { request: ({ folder }) => ({ query: { folder } }) },
    "what is below a folder of a tenant": {
      request: ({ folder, tenantId }) => ({ query: { folder_below: folder, tenant_id: tenantId } }),
    },
  },
  listFolders: {
    "a tenant": { request: ({ tenantId }) => ({ query: { tenant_id: tenantId } }) },
    "a folder": { request: ({ tenantId, folder }) => ({ query: { tenant_id: tenantId, parent: folder } }) },
    "a cursor": {
      request: ({ cursors }, own) => ({ query: { tenant_id: own.tenantId, cursor: cursors.files } }),
      // A cursor of another list.
      allowed: 400,
    },
  },
  moveFolder: {
    "a tenant": {
      request: ({ tenantId }) => ({ body: { tenant_id: tenantId, from: "nothing here", to: "elsewhere" } }),
    },
    "a folder of a tenant": {
      request: ({ tenantId, folder }) => ({
        body: { tenant_id: tenantId, from: folder, to: `${folder}-moved` },
      }),
    },
    "a folder beside the caller's own tenant": {
      request: ({ folder }, own) => ({
        body: { tenant_id: own.tenantId, from: folder, to: `${folder}-moved` },
      }),
    },
  },
  // The folders are not those of the moves, which may still run in the caller's own project.
  deleteFolder: {
    "a tenant": { request: ({ tenantId }) => ({ body: { tenant_id: tenantId, folder: tenantId } }) },
    "the name of a tenant beside the caller's own tenant": {
      request: ({ tenantId }, own) => ({ body: { tenant_id: own.tenantId, folder: tenantId } }),
    },
  },
  readJob: {
    "a job": { request: ({ jobId }) => ({ query: { job_id: jobId } }) },
    "a job and its tenant": {
      request: ({ jobId, tenantId }) => ({ query: { job_id: jobId, tenant_id: tenantId } }),
    },
    "a job beside the caller's own tenant": {
      request: ({ jobId }, own) => ({ query: { job_id: jobId, tenant_id: own.tenantId } }),
    },
    "the caller's own job beside a tenant": {
      request: ({ tenantId }, own) => ({ query: { job_id: own.jobId, tenant_id: tenantId } }),
    },
  },
  listTenants: {
    "a cursor": { request: ({ cursors }) => ({ query: { cursor: cursors.tenants } }) },
    "a tenant": { request: ({ tenantId }) => ({ query: { q: tenantId, sort: "used_bytes" } }) },
  },
  readUsage: { "a tenant": { request: ({ tenantId }) => ({ query: { tenant_id: tenantId } }) } },
  readDailyUsage: { "a tenant": { request: ({ tenantId }) => ({ query: { tenant_id: tenantId } }) } },
  readMonthlyUsage: { "a tenant": { request: ({ tenantId }) => ({ query: { tenant_id: tenantId } }) } },
  deleteTenant: { "a tenant": { request: ({ tenantId }) => ({ body: { tenant_id: tenantId } }) } },
  exportTenant: {
    "a tenant": { request: ({ tenantId }) => ({ query: { tenant_id: tenantId } }) },
    "a cursor": {
      request: ({ cursors }, own) => ({ query: { tenant_id: own.tenantId, after: cursors.files } }),
      // A cursor of another list.
      allowed: 400,
    },
  },
  followEvents: {
    "a cursor": { request: ({ cursors }) => ({ query: { after: cursors.events, limit: "1000" } }) },
    "a file name": { request: ({ filename }) => ({ query: { q: filename, limit: "1000" } }) },
  },
  setLimits: {
    "a tenant": { request: ({ tenantId }) => ({ body: { tenant_id: tenantId, max_files: 1 } }) },
    "a plan": {
      request: ({ tenantId }, own) => ({ body: { tenant_id: own.tenantId, plan: tenantId } }),
    },
  },
  setPlan: { "a plan": { request: ({ tenantId }) => ({ body: { name: tenantId, max_files: 1 } }) } },
  listPlans: { "a name": { request: ({ tenantId }) => ({ query: { name: tenantId } }) } },
  // A tenant of the target has its plan.
  deletePlan: { "a plan": { request: ({ tenantId }) => ({ body: { name: tenantId } }), allowed: 409 } },
  setQuota: {
    "a tenant": { request: ({ tenantId }) => ({ body: { tenant_id: tenantId, quota_bytes: 1 } }) },
  },
};

/**
 * The calls that change what the caller owns, which the other calls read: `rows` are changed or added in another project of the caller,
 * `files` end there, and with a `tenant` everything ends.
 */
export const changedByCall: Partial<Record<KeyedOperation, "rows" | "files" | "tenant">> = {
  requestUpload: "rows",
  openUpload: "rows",
  setQuota: "rows",
  setLimits: "rows",
  setPlan: "rows",
  updateFile: "rows",
  moveFolder: "rows",
  deleteFolder: "rows",
  createLink: "rows",
  revokeLink: "files",
  cancelUpload: "files",
  deleteFiles: "files",
  restoreVersion: "files",
  holdFile: "files",
  deleteTenant: "tenant",
};

function prefixed(prefix: string, cases: Record<string, RestCase>): Record<string, RestCase> {
  return Object.fromEntries(Object.entries(cases).map(([name, one]) => [prefix + name, one]));
}
