import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anOperator, anOwnedProject, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { anUpload, call, putBytes } from "../fixtures/call.js";
import { aStateReader, type ProjectState, type StateReader } from "./project-state.js";
import { aTarget, type OwnTarget } from "./target.js";

/*
 * Names of resources that a careless comparison would take for another one, and requests that a careless parser would read twice.
 */
let service: RunningService;
let state: StateReader;
let victim: OwnTarget;
let own: OwnTarget;
let before: ProjectState;
beforeAll(async () => {
  service = await aService({ WEBHOOKS: "off" });
  state = await aStateReader();
  const aProjectOf = async (owner: Person, member: Person) => {
    await anOwnedProject(owner);
    return aTarget(service.url, owner, member);
  };
  const [one, two, member] = await Promise.all([1, 2, 3].map(() => anOperator(service.url)));
  victim = await aProjectOf(one!, member!);
  own = await aProjectOf(two!, member!);
  before = await state.read(victim.projectRef);
});
afterAll(() => Promise.all([service.close(), state.close()]));

const variants: Record<string, (path: string) => string> = {
  "the path itself": (path) => path,
  "a slash before it": (path) => `/${path}`,
  "a slash after it": (path) => `${path}/`,
  "two slashes": (path) => path.replace("/", "//"),
  "a dot segment": (path) => path.replace("/", "/./"),
  "a way up and down again": (path) => path.replace("/tenants", "/x/../tenants"),
  "a way out of the caller's own folder": (path) => `projects/${own.projectRef}/../../${path}`,
  "the bucket before it": (path) => `stowage-test/${path}`,
  "percent-encoding": (path) => path.replaceAll("/", "%2F"),
  "double percent-encoding": (path) => path.replaceAll("/", "%252F"),
  "upper case": (path) => path.toUpperCase(),
  "a query": (path) => `${path}?versionId=null`,
  "a fragment": (path) => `${path}#`,
  backslashes: (path) => path.replaceAll("/", "\\"),
  "full-width slashes": (path) => path.replaceAll("/", "／"),
  "a space after it": (path) => `${path} `,
  "a zero-width space": (path) => `${path}\u200b`,
  "a combining mark": (path) => `${path}\u0301`,
  "SQL wildcards": (path) => path.replace(/[^/]*$/, "%"),
  "a quote": (path) => `${path}' or 'a'='a`,
};

describe.each(Object.entries(variants))("another project's path with %s", (_what, change) => {
  test("finds nothing in any call, and finds no file of the caller's own either unless it is the path itself", async () => {
    const send = (path: string, name: string) => {
      const url = `${service.url}/api/storage/${name}/`;
      if (name === "file")
        return call(`${url}?${new URLSearchParams({ file_path: path })}`, { key: own.apiKey });
      return call(url, { key: own.apiKey, body: { file_path: path } });
    };
    for (const name of ["file", "download", "complete", "cancel", "delete"]) {
      expect((await send(change(victim.path), name)).status, name).toBe(404);
    }
    const found = change(own.path) === own.path ? 200 : 404;
    expect((await send(change(own.path), "download")).status).toBe(found);
    expect(await state.read(victim.projectRef)).toEqual(before);
  });
});

test("tenants whose ids only look alike are different tenants", async () => {
  const ids = ["Zoë", "Zoe\u0308", "zoë", "ZOË", "Zoë\u200b", "Zo\u0435", "Ｚoë", "Zoë\ufe0f"];
  const { apiKey } = own;
  const files = new Map<string, string>();
  for (const id of ids) {
    files.set(id, (await aStoredFile(service.url, apiKey, { tenant_id: id })).file_path);
  }
  const folders = new Set([...files.values()].map((path) => path.split("/")[3]));
  expect(folders.size).toBe(ids.length);
  for (const [id, path] of files) {
    for (const other of ids) {
      const answer = await call(`${service.url}/api/storage/download/`, {
        key: apiKey,
        body: { file_path: path, tenant_id: other },
      });
      expect(answer.status).toBe(id === other ? 200 : 404);
    }
  }
});

test("a method cannot be overridden by a header or a query", async () => {
  const query = new URLSearchParams({
    file_path: own.path,
    _method: "DELETE",
    "x-http-method-override": "DELETE",
  });
  const headers = Object.fromEntries(
    ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"].map((name) => [name, "POST"]),
  );
  const answer = await call(`${service.url}/api/storage/file/?${query}`, { key: own.apiKey, headers });
  expect(answer.status).toBe(200);
  expect(
    (await call(`${service.url}/api/storage/delete/?${query}`, { key: own.apiKey, headers })).status,
  ).toBe(405);
});

/** Sends one request with headers that may repeat, and returns the status and the body. */
async function sendRaw(lines: string[], body: string): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const head = [...lines, "Host: x", "Connection: close", `Content-Length: ${Buffer.byteLength(body)}`];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  const answer = (await socket.toArray()).join("");
  return { status: Number(answer.slice(9, 12)), body: answer.slice(answer.indexOf("\r\n\r\n") + 4) };
}

test("of two keys in one request only the first one counts, for authentication and for the project", async () => {
  const lines = (first: OwnTarget, second: OwnTarget) => [
    "POST /api/storage/download/ HTTP/1.1",
    "Content-Type: application/json",
    `Authorization: Bearer ${first.apiKey}`,
    `Authorization: Bearer ${second.apiKey}`,
  ];
  const body = JSON.stringify({ file_path: victim.path });
  expect((await sendRaw(lines(own, victim), body)).status).toBe(404);
  expect((await sendRaw(lines(victim, own), body)).status).toBe(200);
});

test("a member that is repeated in the body or the query never names two files", async () => {
  const twice = `{"file_path":${JSON.stringify(own.path)},"file_path":${JSON.stringify(victim.path)}}`;
  expect((await call(`${service.url}/api/storage/delete/`, { key: own.apiKey, body: twice })).status).toBe(
    404,
  );
  const query = `file_path=${encodeURIComponent(own.path)}&file_path=${encodeURIComponent(victim.path)}`;
  expect((await call(`${service.url}/api/storage/file/?${query}`, { key: own.apiKey })).status).toBe(400);
  const nested = `{"file_path":{"toString":"x"},"__proto__":{"file_path":${JSON.stringify(victim.path)}}}`;
  expect((await call(`${service.url}/api/storage/delete/`, { key: own.apiKey, body: nested })).status).toBe(
    400,
  );
  expect(await state.read(victim.projectRef)).toEqual(before);
});

test("a URL is valid for its own object and method only", async () => {
  const upload = await anUpload(service.url, own.apiKey, { tenant_id: "t", filename: "a.txt", size: 1 });
  const moved = upload.presigned_url.replace(upload.file_path, victim.path);
  expect(moved).toContain(victim.path);
  expect(await putBytes({ ...upload, presigned_url: moved }, Buffer.from("x"))).toBe(403);
  for (const url of [upload.presigned_url, moved]) expect((await fetch(url)).status).toBe(403);
  const { body } = await call<{ presigned_url: string }>(`${service.url}/api/storage/download/`, {
    key: own.apiKey,
    body: { file_path: own.path },
  });
  expect((await fetch(body.presigned_url.replace(own.path, victim.path))).status).toBe(403);
  expect((await fetch(body.presigned_url, { method: "DELETE" })).status).toBe(403);
  expect(await state.read(victim.projectRef)).toEqual(before);
});
