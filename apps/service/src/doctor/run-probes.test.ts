import { randomBytes } from "node:crypto";
import { StowageError } from "@stowage/schemas";
import { describe, expect, test } from "vitest";
import { purgeFailed } from "#cdn/cdn.js";
import type { StoredPart } from "#object-store/object-store.js";
import { runProbes, type RunProbesDeps } from "./run-probes.js";
import type { Finding } from "./probe.js";
import type { Send } from "./send.js";

/*
 * A fake store that answers everything wrongly, because no real one does. The tests of the command line run the doctor on
 * dev-store and Ceph.
 */
const ENDPOINT = "https://s3.example";
const defaultInput = { origins: [], credentials: { accessKeyId: "AKIA", hasSessionToken: false } };
const noEvents = { secret: null, serviceUrl: null };

/** A store that accepts every request without checking it. Its clock is `skewMs` ahead. */
function aCarelessStore(skewMs = 0) {
  const objects = new Map<string, string>();
  /** By upload ID; they are never removed. */
  const parts = new Map<string, StoredPart[]>();
  const pathOf = (url: string) => new URL(url).pathname.slice(1);
  const answer = (body: string, status = 200) => ({
    status,
    body,
    headers: new Headers({ Date: new Date(Date.now() + skewMs).toUTCString() }),
  });
  const deps: RunProbesDeps = {
    store: {
      published: null,
      encryptionHeaders: {},
      maxParts: 10_000,
      presignPut: async ({ path }) => `${ENDPOINT}/${path}?X-Amz-Signature=0`,
      presignGet: async ({ path }) => `${ENDPOINT}/${path}?X-Amz-Signature=0`,
      head: async (path) => {
        const body = objects.get(path);
        return body === undefined ? null : { sizeBytes: body.length, etag: "" };
      },
      remove: async (path) => void objects.delete(path),
      list: async () => ({ objects: [], nextCursor: null }),
      check: async () => undefined,
      presignPart: async ({ path, uploadId, number }) => `${ENDPOINT}/${path}?part=${uploadId}.${number}`,
      createMultipart: async () => {
        const uploadId = String(parts.size);
        parts.set(uploadId, []);
        return uploadId;
      },
      listParts: async ({ uploadId }) => ({ parts: parts.get(uploadId)!, nextCursor: null }),
      completeMultipart: async ({ path, uploadId }) => {
        const sizes = parts.get(uploadId)!.map(({ sizeBytes }) => sizeBytes);
        objects.set(path, "x".repeat(sizes.reduce((sum, size) => sum + size)));
        return "completed";
      },
      abortMultipart: async () => undefined,
      listMultiparts: async () => ({ uploads: [], nextCursor: null }),
    },
    delivery: null,
    publicEndpoint: ENDPOINT,
    bucket: "files",
    clock: () => new Date(),
    randomBytes,
    probeTimeoutMs: 60_000,
    send: async (url, { method = "GET", headers = {}, body = "" }) => {
      const path = pathOf(url);
      const [uploadId, number] = new URL(url).searchParams.get("part")?.split(".") ?? [];
      if (uploadId !== undefined) {
        const part = { number: Number(number), sizeBytes: body.length, etag: "no MD5" };
        parts.get(uploadId)?.push(part);
        return answer("");
      }
      if (method === "OPTIONS") return answer("", 403);
      if (method === "PUT") objects.set(path, headers["x-amz-copy-source"] ?? body);
      return answer(objects.get(path) ?? "");
    },
  };
  return { deps, objects };
}

async function findingsOf(deps: RunProbesDeps, more: object = {}): Promise<Record<string, Finding>> {
  const findings: Record<string, Finding> = {};
  for await (const finding of runProbes(deps, { ...defaultInput, events: noEvents, ...more }))
    findings[finding.name] = finding;
  return findings;
}

const verdicts = (findings: Record<string, Finding>) =>
  Object.fromEntries(Object.values(findings).map(({ name, verdict }) => [name, verdict]));

describe("the doctor", () => {
  test("warns of everything that a careless store accepts, fails what prevents uploads, and says what to do", async () => {
    const { deps, objects } = aCarelessStore();
    const findings = await findingsOf(deps, { origins: ["https://app.example"] });
    expect(verdicts(findings)).toEqual({
      "Bucket reachable": "ok",
      Clock: "ok",
      "Upload and download": "ok",
      HEAD: "warn",
      "Headers of downloads": "warn",
      "Bytes and ranges": "warn",
      "Lifetime of URLs": "warn",
      "Content-Type enforced": "warn",
      "Content-Length enforced": "warn",
      "Content-MD5 enforced": "warn",
      "If-None-Match": "info",
      "Expect: 100-continue": "ok",
      "Chunked PUT": "warn",
      "Unsigned x-amz-acl": "warn",
      "Unsigned x-amz-copy-source": "warn",
      Private: "warn",
      Delete: "ok",
      Versions: "ok",
      Listing: "warn",
      "Upload by parts": "warn",
      "Listing of parts": "fail",
      "Part length enforced": "warn",
      "Part MD5 enforced": "warn",
      "Part ETag": "info",
      Abort: "warn",
      "Listing of uploads": "warn",
      CORS: "fail",
      "CORS of parts": "fail",
      "CORS of downloads": "warn",
      "Credential lifetime": "ok",
      "Storage events": "info",
    });
    const withoutAdvice = Object.values(findings).filter(
      ({ whatToDo, verdict }) => whatToDo === null && (verdict === "warn" || verdict === "fail"),
    );
    expect(withoutAdvice).toEqual([]);
    expect(findings["CORS"]!.whatToDo).toBe("Run: stowage cors apply --origin https://app.example");
    expect(objects.size, "the doctor removes its objects").toBe(0);
  });

  test.each<[number, Finding["verdict"]]>([
    [0, "ok"],
    [60_000, "warn"],
    [-60_000, "warn"],
    [16 * 60_000, "fail"],
  ])("reports a clock that is %i ms off as %s", async (skewMs, verdict) => {
    expect((await findingsOf(aCarelessStore(skewMs).deps))["Clock"]!.verdict).toBe(verdict);
  });

  test("leaves out the probes that need the bucket if it does not answer", async () => {
    const { deps } = aCarelessStore();
    const check = () => Promise.reject(new StowageError("unavailable"));
    const findings = await findingsOf({ ...deps, store: { ...deps.store, check } });
    expect(verdicts(findings)).toEqual({
      "Bucket reachable": "fail",
      Clock: "ok",
      "Credential lifetime": "ok",
      "Storage events": "info",
    });
  });

  test("warns of a CDN that takes no purge, and does not take it for missing permissions of the bucket", async () => {
    const { deps, objects } = aCarelessStore();
    const remove = async (path: string) => {
      objects.delete(path);
      throw purgeFailed("HTTP 401");
    };
    const findings = await findingsOf({ ...deps, store: { ...deps.store, remove } });
    expect(findings["Delete"]).toMatchObject({
      verdict: "warn",
      found: "the CDN did not take the purge: HTTP 401",
      whatToDo: expect.stringContaining("docs/cdn.md"),
    });
  });

  test("says which permissions uploads by parts need, and does not check what depends on them", async () => {
    const { deps } = aCarelessStore();
    const denied = Object.assign(new Error("no"), { name: "AccessDenied" });
    const createMultipart = () => Promise.reject(new StowageError("unavailable", { cause: denied }));
    const findings = await findingsOf({ ...deps, store: { ...deps.store, createMultipart } });
    expect(findings["Upload by parts"]).toMatchObject({
      verdict: "fail",
      found: "storage does not start a multipart upload (AccessDenied)",
      whatToDo: expect.stringContaining("s3:ListMultipartUploadParts"),
    });
    expect(findings["Part ETag"]).toMatchObject({
      verdict: "skip",
      found: "not checked: storage does not start a multipart upload",
    });
    expect(findings["CORS"]).toBeDefined();
  });

  test("ends a probe after its time limit", async () => {
    const { deps } = aCarelessStore();
    const findings = await findingsOf({
      ...deps,
      probeTimeoutMs: 200,
      store: { ...deps.store, head: () => new Promise(() => undefined) },
    });
    expect(findings["Upload and download"]).toMatchObject({
      verdict: "fail",
      found: "no answer within 0.2 s",
    });
  });

  test.each([
    { accessKeyId: "ASIAEXAMPLE", hasSessionToken: false },
    { accessKeyId: "AKIAEXAMPLE", hasSessionToken: true },
  ])("warns of temporary credentials: %j", async (credentials) => {
    const { "Credential lifetime": finding } = await findingsOf(aCarelessStore().deps, { credentials });
    expect(finding!.verdict).toBe("warn");
  });

  test("fails for a page with TLS and an endpoint without it, which a browser does not reach", async () => {
    const { deps } = aCarelessStore();
    const publicEndpoint = "http://s3.example";
    const findings = await findingsOf({ ...deps, publicEndpoint }, { origins: ["https://app.example"] });
    expect(findings["CORS"]).toMatchObject({ verdict: "fail", found: expect.stringContaining("no TLS") });
  });

  test("says that a bucket keeps old versions, which a deleted file leaves behind", async () => {
    const { deps } = aCarelessStore();
    const send: Send = async (...request) => {
      const answer = await deps.send(...request);
      answer.headers.set("x-amz-version-id", "v1");
      return answer;
    };
    expect((await findingsOf({ ...deps, send })).Versions!.verdict).toBe("info");
  });

  test("sends an event to the service with its secret, and does not print the secret", async () => {
    const { deps } = aCarelessStore();
    const requests: unknown[] = [];
    const send: Send = async (url, request, options) => {
      if (request.method !== "POST") return deps.send(url, request, options);
      requests.push([url, request.headers?.["Authorization"], request.body]);
      return { status: requests.length === 1 ? 200 : 401, headers: new Headers(), body: "" };
    };
    const events = { secret: "hunter2hunter2hunter2", serviceUrl: "http://127.0.0.1:4000" };
    const accepted = await findingsOf({ ...deps, send }, { events });
    const refused = await findingsOf({ ...deps, send }, { events });
    expect(accepted["Storage events"]!.verdict).toBe("ok");
    expect(refused["Storage events"]!.verdict).toBe("warn");
    expect(requests[0]).toEqual([
      "http://127.0.0.1:4000/internal/storage-events",
      "Bearer hunter2hunter2hunter2",
      '{"Records":[]}',
    ]);
    expect(JSON.stringify([accepted, refused])).not.toContain("hunter2");
  });

  test("does not take a page that answers everything for the service", async () => {
    const { deps } = aCarelessStore();
    const page = async () => ({ status: 200, headers: new Headers(), body: "<html>Sign in</html>" });
    const send: Send = (url, request, options) =>
      request.method === "POST" ? page() : deps.send(url, request, options);
    const events = { secret: "hunter2hunter2hunter2", serviceUrl: "http://127.0.0.1:4000" };
    expect((await findingsOf({ ...deps, send }, { events }))["Storage events"]).toMatchObject({
      verdict: "warn",
      found: expect.stringContaining("takes every secret"),
    });
  });
});
