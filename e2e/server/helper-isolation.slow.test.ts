import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createStowage, type Stowage } from "@stowage/server";
import { toNodeHandler } from "@stowage/server/node";
import { createStowageRouter, type StowageRouter } from "@stowage/server/trpc";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type CreatedProject, aProject } from "../fixtures/a-project.js";

/*
 * Makes every call of the helper with one user's session on another user's files, over each transport. The answer must be byte for
 * byte the answer for a file that does not exist.
 */
type Action = keyof StowageRouter["_def"]["record"] & string;

/** A user of the customer's app and two of their files: what a call of another user can name. */
interface Target {
  user: string;
  filename: string;
  path: string;
  /** A version of the stored file. */
  versionPath: string;
  /** An upload without bytes. */
  pendingPath: string;
  /** An upload by parts without bytes. */
  partsPath: string;
  /** A share link of the stored file. */
  linkId: string;
  /** A job of a folder of the user. */
  jobId: string;
}

interface Case {
  body(target: Target): object;
  /** The status if the files are the caller's own. @default 200 */
  allowed?: number;
}

const stored: Case = { body: ({ path, user }) => ({ file_path: path, tenant_id: user, tenantId: user }) };
const pending: Case = { body: ({ pendingPath, user }) => ({ file_path: pendingPath, tenant: user }) };
const byParts: Case = { body: ({ partsPath, user }) => ({ file_path: partsPath, tenant_id: user }) };
const version: Case = {
  body: ({ path, versionPath, user }) => ({ file_path: path, version: versionPath, tenant_id: user }),
};
const parts = [{ number: 1 }];

/** Calls of each action. A new action without a call does not compile. */
const cases: Record<Action, Record<string, Case>> = {
  request: {
    "a user and a file name": {
      body: ({ user, filename }) => ({ filename, size: 1, route: "note", tenant_id: user, tenantId: user }),
    },
    "a path as the file name": {
      body: ({ path }) => ({ filename: `../../../${path}`.slice(-255), size: 1, route: "note" }),
    },
  },
  requestBatch: {
    "a user and a file name": {
      body: ({ user, filename }) => ({
        files: [{ filename, size: 1, route: "note", tenant_id: user, tenantId: user }],
        tenant_id: user,
      }),
    },
  },
  signParts: {
    "an upload by parts": { body: (target) => ({ ...byParts.body(target), parts }) },
    "an upload": { body: (target) => ({ ...pending.body(target), parts }), allowed: 400 },
  },
  listParts: { "an upload by parts": byParts, "an upload": { ...pending, allowed: 400 } },
  open: { "a user": { body: ({ user }) => ({ limit: 100, tenant_id: user, tenantId: user }) } },
  complete: {
    "a stored file": stored,
    "an upload": { ...pending, allowed: 409 },
    "an upload by parts": { ...byParts, allowed: 409 },
  },
  completeBatch: {
    "a stored file and uploads": {
      body: (target) => ({ files: [stored, pending, byParts].map(({ body }) => body(target)) }),
    },
  },
  cancel: {
    "a stored file": { ...stored, allowed: 409 },
    "an upload": pending,
    "an upload by parts": byParts,
  },
  discard: {
    "a user": {
      body: ({ user, path }) => ({ except: [path], tenant_id: user, tenantId: user, tenant: user }),
    },
  },
  restore: { "a stored file": { ...stored, allowed: 404 } },
  update: {
    "a stored file": { body: (target) => ({ ...stored.body(target), filename: "new.txt", folder: "new" }) },
    "an upload": { body: (target) => ({ ...pending.body(target), filename: "new.txt" }), allowed: 404 },
  },
  folders: { "a user": { body: ({ user }) => ({ parent: "", limit: 100, tenant_id: user, tenant: user }) } },
  moveFolder: {
    "a folder and a user": { body: ({ user }) => ({ from: user, to: `${user}-new`, tenant_id: user }) },
  },
  deleteFolder: { "a folder and a user": { body: ({ user }) => ({ folder: user, tenant_id: user, user }) } },
  job: { "a job and a user": { body: ({ jobId, user }) => ({ job_id: jobId, tenant_id: user, user }) } },
  delete: { "a stored file": stored, "an upload": pending, "an upload by parts": byParts },
  download: {
    "a stored file": stored,
    "an upload": { ...pending, allowed: 404 },
    "a version": version,
    "a stored file to look at": { body: (target) => ({ ...stored.body(target), disposition: "inline" }) },
  },
  downloads: {
    "a stored file and an upload": {
      body: ({ path, pendingPath, user }) => ({
        file_paths: [path, pendingPath],
        tenant_id: user,
        tenantId: user,
      }),
    },
    "a stored file to look at, with reuse": {
      body: ({ path }) => ({ file_paths: [path], disposition: "inline", reuse: true }),
    },
  },
  share: { "a stored file": stored, "an upload": { ...pending, allowed: 404 } },
  links: { "a stored file": stored },
  revokeLink: {
    "a link and its file": { body: ({ path, linkId, user }) => ({ file_path: path, link_id: linkId, user }) },
    "a link": {
      body: ({ pendingPath, linkId }) => ({ file_path: pendingPath, link_id: linkId }),
      allowed: 404,
    },
  },
  versions: { "a stored file": stored, "an upload": pending },
  restoreVersion: {
    "a version": version,
    "a version of an upload": {
      body: (target) => ({ ...version.body(target), file_path: target.pendingPath }),
      allowed: 404,
    },
  },
  list: {
    "a user": { body: ({ user }) => ({ tenant_id: user, tenantId: user, tenant: user, q: user }) },
    "a folder and a user": { body: ({ user }) => ({ folder: "", limit: 100, tenant_id: user }) },
    "a route and a user": { body: ({ user }) => ({ route: "note", limit: 100, tenant_id: user }) },
  },
  usage: { "a user": { body: ({ user }) => ({ tenant_id: user, tenantId: user }) } },
  routes: { "": { body: () => ({}) } },
};

/** The calls that only read. They are a GET over HTTP, and a query over tRPC. */
const READS: ReadonlySet<Action> = new Set([
  "listParts",
  "open",
  "list",
  "folders",
  "job",
  "links",
  "versions",
  "usage",
  "routes",
]);

/** The paths of the actions whose name over tRPC is another one. */
const PATHS: Partial<Record<Action, string>> = {
  requestBatch: "request-batch",
  completeBatch: "complete-batch",
  signParts: "parts",
  listParts: "parts",
  revokeLink: "revoke-link",
  restoreVersion: "restore-version",
  moveFolder: "move-folder",
  deleteFolder: "delete-folder",
};

interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** Sends a call to the helper. Without a user, the call has no session. */
type Send = (action: Action, body: object, user: string | undefined) => Promise<Answer>;

let project: CreatedProject;
let stowage: Stowage;
/** The paths of the files about which the customer's callbacks were asked. */
const asked: string[] = [];
/** The file that the next upload of a user replaces. */
const replaced = new Map<string, string>();
const transports: Record<string, Send> = {};
let closeServer: () => void;
let victim: Target;
let ghost: Target;
let secrets: string[];
beforeAll(async () => {
  project = await aProject({ trashDays: 7, maxVersions: 3 });
  stowage = aHelper();
  const server = createServer(toNodeHandler(stowage));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closeServer = () => void server.close();
  const nodeUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/stowage`;
  transports["the Web handler"] = overHttp("https://app.example/api/stowage", stowage.handler);
  transports["a Node server"] = overHttp(nodeUrl, fetch);
  transports["tRPC"] = overTrpc(stowage);
  victim = await aUser();
  ghost = {
    user: turn(victim.user),
    filename: turn(victim.filename),
    path: turn(victim.path),
    versionPath: turn(victim.versionPath),
    pendingPath: turn(victim.pendingPath),
    partsPath: turn(victim.partsPath),
    // Its characters may have no digit.
    linkId: [...victim.linkId].toReversed().join(""),
    jobId: [...victim.jobId].toReversed().join(""),
  };
  secrets = [
    victim.user,
    victim.filename,
    victim.linkId,
    victim.jobId,
    ...victim.path.split("/").slice(3),
    ...victim.versionPath.split("/").slice(4),
    ...victim.pendingPath.split("/").slice(4),
    ...victim.partsPath.split("/").slice(4),
  ];
});
afterAll(() => closeServer());

/** The helper of a customer's backend. A header names the signed-in user. */
function aHelper() {
  return createStowage({
    apiKey: project.apiKey,
    baseUrl: inject("stowage").url,
    tenant: (request) => request.headers.get("X-User"),
    multipartFrom: "1MB",
    allowList: true,
    allowUsage: true,
    allowDownload: ({ file }) => asked.push(file.filePath) > 0,
    allowShare: ({ file }) => asked.push(file.filePath) > 0,
    allowVersions: ({ file }) => asked.push(file.filePath) > 0,
    allowDelete: ({ file }) => asked.push(file.filePath) > 0,
    allowRestore: true,
    allowUpdate: ({ file }) => asked.push(file.filePath) > 0,
    allowFolders: true,
    allowFolderJobs: true,
    routes: {
      note: {
        accept: ".txt",
        metadata: ({ tenantId }) => ({ writtenBy: tenantId }),
        replaces: ({ tenantId }) => replaced.get(tenantId),
        onComplete: ({ file }) => ({ calls: asked.push(file.filePath) }),
      },
    },
  });
}

const overHttp =
  (url: string, fetch: (request: Request) => Promise<Response>): Send =>
  async (action, body, user) => {
    const isRead = READS.has(action);
    const query = isRead ? `?${new URLSearchParams(body as Record<string, string>)}` : "";
    const request = new Request(`${url}/${PATHS[action] ?? action}${query}`, {
      method: isRead ? "GET" : "POST",
      headers: { "Content-Type": "application/json", ...(user ? { "X-User": user } : {}) },
      ...(isRead ? {} : { body: JSON.stringify(body) }),
    });
    return toAnswer(await fetch(request));
  };

const overTrpc =
  (helper: Stowage): Send =>
  async (action, body, user) => {
    const isRead = READS.has(action);
    const query = isRead ? `?${new URLSearchParams({ input: JSON.stringify(body) })}` : "";
    return toAnswer(
      await fetchRequestHandler({
        endpoint: "/trpc",
        router: createStowageRouter(helper),
        createContext: ({ req }) => ({ request: req }),
        req: new Request(`https://app.example/trpc/${action}${query}`, {
          method: isRead ? "GET" : "POST",
          headers: { "Content-Type": "application/json", ...(user ? { "X-User": user } : {}) },
          ...(isRead ? {} : { body: JSON.stringify(body) }),
        }),
      }),
    );
  };

async function toAnswer(response: Response): Promise<Answer> {
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function aUser(): Promise<Target> {
  const mark = randomBytes(6).toString("hex");
  const user = `user-${mark}`;
  const filename = `note-${mark}.txt`;
  const send = transports["the Web handler"]!;
  const request = async (size = 5) => {
    const answer = await send("request", { filename, size, route: "note", accepts_parts: true }, user);
    return JSON.parse(answer.text) as {
      file_path: string;
      presigned_url: string;
      headers: Record<string, string>;
    };
  };
  const store = async () => {
    const { file_path, presigned_url, headers } = await request();
    await fetch(presigned_url, { method: "PUT", headers, body: "hello" });
    expect((await send("complete", { file_path }, user)).status).toBe(200);
    return file_path;
  };
  const versionPath = await store();
  replaced.set(user, versionPath);
  const path = await store();
  replaced.delete(user);
  const [second, third] = [await request(), await request(1_000_000)];
  const shared = await send("share", { file_path: path }, user);
  const { link_id: linkId } = JSON.parse(shared.text) as { link_id: string };
  // Nothing is in the folder, so the job changes no state that the tests compare.
  const job = await send("deleteFolder", { folder: `${user}-job` }, user);
  const { job_id: jobId } = JSON.parse(job.text) as { job_id: string };
  return {
    user,
    filename,
    path,
    versionPath,
    pendingPath: second.file_path,
    partsPath: third.file_path,
    linkId,
    jobId,
  };
}

/** Replaces each digit by the next one, so that the text names nothing. Each of the texts is random and has digits. */
function turn(text: string): string {
  const [folder = "", tail = text] = /^(projects\/[^/]*\/tenants\/)(.*)$/.exec(text)?.slice(1) ?? [];
  return folder + tail.replaceAll(/\d/g, (digit) => String((Number(digit) + 1) % 10));
}

/** Everything that the service says about a user. */
async function readState({ user, path, pendingPath, partsPath }: Target): Promise<string[]> {
  const read = async (call: string, query: Record<string, string>) => {
    const response = await fetch(
      `${inject("stowage").url}/api/storage/${call}/?${new URLSearchParams(query)}`,
      {
        headers: { Authorization: `Bearer ${project.apiKey}` },
      },
    );
    return response.text();
  };
  return Promise.all([
    read("usage", { tenant_id: user }),
    read("files", { tenant_id: user }),
    read("file", { file_path: path }),
    read("file", { file_path: pendingPath }),
    read("file", { file_path: partsPath }),
    read("links", { file_path: path }),
    read("versions", { file_path: path }),
    read("uploads", { tenant_id: user }),
    read("uploads/parts", { file_path: partsPath }),
  ]);
}

/** Times, signatures and references, which are new in each answer, and the stack that tRPC adds outside of production. */
const NEW_VALUES =
  /"stack":"(?:[^"\\]|\\.)*"|\d{4}-\d\d-\d\dT[\d:.]+Z|X-Amz-[\w-]+=[^&"]*|(?<![0-9A-Za-z])[0-9A-Za-z]{22}(?![0-9A-Za-z])|"expires_in":\d+/g;
const CHANGING_HEADERS = ["date", "content-length"];

/** Returns an answer without what the request contained and without new values. */
function comparable({ status, headers, text }: Answer, target: Target) {
  const known = [
    target.path,
    target.versionPath,
    target.pendingPath,
    target.partsPath,
    target.user,
    target.filename,
  ];
  const withoutSent = known
    .flatMap((value) => [value, ...value.split(/[/_]/).filter((part) => part.length > 12)])
    .reduce((rest, value) => rest.replaceAll(value, "‹sent›"), text);
  return {
    status,
    headers: [...headers].filter(([name]) => !CHANGING_HEADERS.includes(name)),
    text: withoutSent.replaceAll(NEW_VALUES, "‹new›"),
  };
}

const all = Object.entries(cases).flatMap(([action, byName]) =>
  Object.entries(byName).map(([what, one]) => ({ action: action as Action, what, ...one })),
);

describe.each(["the Web handler", "a Node server", "tRPC"])("over %s", (transport) => {
  test.each(all)(
    "$action with $what of another user is answered as if there were none",
    async ({ action, body, allowed = 200 }) => {
      const send = transports[transport]!;
      const before = await readState(victim);
      asked.length = 0;
      const own = await aUser();
      asked.length = 0;
      for (const user of [own.user, undefined]) {
        const answer = await send(action, body(victim), user);
        const miss = await send(action, body(ghost), user);
        expect(comparable(answer, victim)).toEqual(comparable(miss, ghost));
        if (user === undefined && action !== "routes") expect(answer.status).toBe(401);
        const sent = JSON.stringify(body(victim));
        expect(secrets.filter((secret) => answer.text.includes(secret) && !sent.includes(secret))).toEqual(
          [],
        );
      }
      expect(asked).toEqual([]);
      expect(await readState(victim)).toEqual(before);
      expect((await send(action, body(own), own.user)).status).toBe(allowed);
    },
  );
});

test("every action has a call", async () => {
  const { procedures } = createStowageRouter(stowage)._def;
  expect(Object.keys(cases).toSorted()).toEqual(Object.keys(procedures).toSorted());
});
