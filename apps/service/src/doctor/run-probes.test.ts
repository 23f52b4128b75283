import { randomBytes } from "node:crypto";
import { StowageError } from "@stowage/schemas";
import { describe, expect, test } from "vitest";
import { runProbes, type RunProbesDeps } from "./run-probes.js";
import type { Finding } from "./probe.js";

/*
 * Stores that real ones are not all of at once, to see the words for each wrong answer; dev-store and Ceph are examined by
 * the command line's own tests.
 */
const ENDPOINT = "https://s3.example";
const calm = { origins: [], credentials: { accessKeyId: "AKIA", hasSessionToken: false } };
const noEvents = { secret: null, serviceUrl: null };

/** Takes everything from everybody, and tells a time that is `skewMs` ahead. */
function aCarelessStore(skewMs = 0) {
  const objects = new Map<string, string>();
  const pathOf = (url: string) => new URL(url).pathname.slice(1);
  const answer = (body: string, status = 200) =>
    new Response(body, { status, headers: { Date: new Date(Date.now() + skewMs).toUTCString() } });
  const deps: RunProbesDeps = {
    store: {
      presignPut: async ({ path }) => `${ENDPOINT}/${path}?X-Amz-Signature=0`,
      presignGet: async ({ path }) => `${ENDPOINT}/${path}?X-Amz-Signature=0`,
      head: async (path) => {
        const body = objects.get(path);
        return body === undefined ? null : { sizeBytes: body.length, etag: "" };
      },
      remove: async (path) => void objects.delete(path),
      list: async () => ({ objects: [], nextCursor: null }),
      check: async () => undefined,
    },
    publicEndpoint: ENDPOINT,
    bucket: "files",
    clock: () => new Date(),
    randomBytes,
    probeTimeoutMs: 200,
    fetch: async (input, init) => {
      const path = pathOf(String(input));
      const headers = new Headers(init?.headers);
      if (init?.method === "OPTIONS") return answer("", 403);
      if (init?.method === "PUT") objects.set(path, headers.get("x-amz-copy-source") ?? String(init.body));
      return answer(objects.get(path) ?? "");
    },
  };
  return { deps, objects };
}

async function examine(deps: RunProbesDeps, more: object = {}): Promise<Record<string, Finding>> {
  const findings: Record<string, Finding> = {};
  for await (const finding of runProbes(deps, { ...calm, events: noEvents, ...more }))
    findings[finding.name] = finding;
  return findings;
}

const verdicts = (findings: Record<string, Finding>) =>
  Object.fromEntries(Object.values(findings).map(({ name, verdict }) => [name, verdict]));

describe("the doctor", () => {
  test("warns of whatever a careless store lets pass, fails what keeps pages from uploading, and says what to do", async () => {
    const { deps, objects } = aCarelessStore();
    const findings = await examine(deps, { origins: ["https://app.example"] });
    expect(verdicts(findings)).toEqual({
      "Bucket reachable": "ok",
      Clock: "ok",
      "Upload and download": "warn",
      "Content-Type enforced": "warn",
      "Content-Length enforced": "warn",
      "Content-MD5 enforced": "warn",
      "If-None-Match": "info",
      "Unsigned x-amz-acl": "warn",
      "Unsigned x-amz-copy-source": "warn",
      Private: "warn",
      Delete: "ok",
      Listing: "warn",
      CORS: "fail",
      "Credential lifetime": "ok",
      "Storage events": "info",
    });
    const silent = Object.values(findings).filter(
      (it) => it.whatToDo === null && /warn|fail/.test(it.verdict),
    );
    expect(silent).toEqual([]);
    expect(findings["CORS"]!.whatToDo).toBe("Run: stowage cors apply --origin https://app.example");
    expect(objects.size, "everything that was stored is removed").toBe(0);
  });

  test.each<[number, Finding["verdict"]]>([
    [0, "ok"],
    [60_000, "warn"],
    [-60_000, "warn"],
    [16 * 60_000, "fail"],
  ])("judges a clock that is %i ms off as %s", async (skewMs, verdict) => {
    expect((await examine(aCarelessStore(skewMs).deps))["Clock"]!.verdict).toBe(verdict);
  });

  test("leaves out what needs the bucket when it does not answer", async () => {
    const { deps } = aCarelessStore();
    const check = () => Promise.reject(new StowageError("unavailable"));
    const findings = await examine({ ...deps, store: { ...deps.store, check } });
    expect(verdicts(findings)).toEqual({
      "Bucket reachable": "fail",
      Clock: "ok",
      "Credential lifetime": "ok",
      "Storage events": "info",
    });
  });

  test("waits for no probe longer than its time", async () => {
    const { deps } = aCarelessStore();
    const findings = await examine({
      ...deps,
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
    const { "Credential lifetime": finding } = await examine(aCarelessStore().deps, { credentials });
    expect(finding!.verdict).toBe("warn");
  });

  test("tries the service's endpoint for events with its secret", async () => {
    const { deps } = aCarelessStore();
    const asked: unknown[] = [];
    const fetch: RunProbesDeps["fetch"] = async (input, init) => {
      if (init?.method !== "POST") return deps.fetch(input, init);
      asked.push([String(input), new Headers(init.headers).get("authorization"), init.body]);
      return new Response("", { status: asked.length === 1 ? 200 : 401 });
    };
    const events = { secret: "hunter2hunter2hunter2", serviceUrl: "http://127.0.0.1:4000" };
    const taken = await examine({ ...deps, fetch }, { events });
    const refused = await examine({ ...deps, fetch }, { events });
    expect(taken["Storage events"]!.verdict).toBe("ok");
    expect(refused["Storage events"]!.verdict).toBe("warn");
    expect(asked[0]).toEqual([
      "http://127.0.0.1:4000/internal/storage-events",
      "Bearer hunter2hunter2hunter2",
      '{"Records":[]}',
    ]);
    expect(JSON.stringify([taken, refused])).not.toContain("hunter2");
  });
});
