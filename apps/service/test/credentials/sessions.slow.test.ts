import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDevStore } from "@stowage/dev-store";
import type { DownloadResponse, DownloadsResponse, ListPartsResponse } from "@stowage/schemas";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { composeBuckets, composeStore } from "#compose-storage.js";
import { readStorageConfig } from "#config.js";
import {
  aCredentialSource,
  CONTAINER_TOKEN,
  type CredentialSource,
  SECRET_WORDS,
  WEB_IDENTITY_TOKEN,
} from "../fixtures/a-credential-source.js";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { anOpenUpload, anUpload, call, putBytes } from "../fixtures/call.js";
import { stowage } from "../fixtures/command-line.js";
import { PART_BYTES, sendParts, signedParts } from "../fixtures/send-parts.js";

/*
 * A service without S3_ACCESS_KEY_ID, a platform that hands out sessions, and a store that accepts only these sessions. The store checks
 * the token of each request and URL, and refuses a session after its end.
 */

afterEach(() => vi.unstubAllEnvs());

const [BUCKET, PUBLIC_BUCKET] = ["files", "public-files"];
/** What the store answers to a URL that has ended, and to one whose session has. */
const ENDED = [403, 400];
const body = new TextEncoder().encode("hello");

/** A platform and its store. The variables of the platform lead the SDK's chain to it, in this process and in `env`. */
async function aPlatform(lifetimeSeconds?: number) {
  const source = await aCredentialSource(lifetimeSeconds);
  const dir = await mkdtemp(join(tmpdir(), "stowage-sessions-"));
  const store = await startDevStore({
    dir: join(dir, "store"),
    accessKeyId: "nobody",
    secretAccessKey: "nothing",
    buckets: [BUCKET],
    publicBuckets: [PUBLIC_BUCKET],
    findSession: source.findSession,
  });
  onTestFinished(async () => {
    await store.stop();
    await rm(dir, { recursive: true });
  });
  const tokenFile = join(dir, "token");
  await writeFile(tokenFile, WEB_IDENTITY_TOKEN);
  const env = {
    AWS_CONFIG_FILE: join(dir, "none"),
    AWS_SHARED_CREDENTIALS_FILE: join(dir, "none"),
    AWS_ENDPOINT_URL_STS: source.url,
    AWS_REGION: "us-east-1",
    AWS_ROLE_ARN: "arn:aws:iam::123456789012:role/stowage",
    AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile,
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const settings = {
    S3_ENDPOINT: store.endpoint,
    S3_BUCKET: BUCKET,
    S3_ACCESS_KEY_ID: "",
    S3_SECRET_ACCESS_KEY: "",
  };
  return { source, settings, env };
}

async function aServiceOn(settings: Record<string, string>): Promise<RunningService> {
  const service = await aService(settings);
  onTestFinished(() => service.close());
  return service;
}

/** Stores a file. A URL that has ended meanwhile is replaced, as the client does. */
async function store(service: RunningService, key: string, fields: object = {}): Promise<string> {
  for (;;) {
    const upload = await anUpload(service.url, key, { tenant_id: "t", filename: "a.txt", ...fields });
    const status = await putBytes(upload, body);
    if (status === 200) {
      const completion = { key, body: { file_path: upload.file_path } };
      const { status: completed } = await call(`${service.url}/api/storage/complete/`, completion);
      expect(completed).toBe(200);
      return upload.file_path;
    }
    expect(ENDED).toContain(status);
  }
}

const secondsUntil = (time: string | Date) => (new Date(time).getTime() - Date.now()) / 1000;
const tokenOf = (url: string) => new URL(url).searchParams.get("X-Amz-Security-Token");

/** That a URL is signed by a session of the source, and promises no more than this session has. */
function expectWithinSession(source: CredentialSource, url: string, expiresAt: string | null): void {
  const session = source.sessions.find(({ sessionToken }) => sessionToken === tokenOf(url));
  expect(session).toBeDefined();
  expect(Date.parse(expiresAt!)).toBeLessThanOrEqual(session!.expiration.getTime());
  const { searchParams } = new URL(url);
  const signedAt = searchParams
    .get("X-Amz-Date")!
    .replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/, "$1-$2-$3T$4:$5:");
  expect(Date.parse(signedAt) + 1000 * Number(searchParams.get("X-Amz-Expires"))).toBe(
    Date.parse(expiresAt!),
  );
}

test("every URL works with a session of 15 minutes, and promises no more than it has", async () => {
  const { source, settings } = await aPlatform(900);
  const service = await aServiceOn(settings);
  const { apiKey: key } = await aProject();
  const path = await store(service, key);
  const upload = await anUpload(service.url, key, { tenant_id: "t", filename: "b.txt" });
  expectWithinSession(source, upload.presigned_url, upload.expires_at);
  expect(secondsUntil(upload.expires_at)).toBeGreaterThan(600);

  const ask = { file_path: path, expires_in: 7 * 24 * 3600 };
  const download = (more: object = {}) =>
    call<DownloadResponse>(`${service.url}/api/storage/download/`, { key, body: { ...ask, ...more } });
  const [one, reused, again] = [
    await download(),
    await download({ reuse: true }),
    await download({ reuse: true }),
  ];
  for (const { body: answer } of [one, reused]) {
    expectWithinSession(source, answer.presigned_url, answer.expires_at);
    expect(await (await fetch(answer.presigned_url)).text()).toBe("hello");
  }
  expect(again.body).toEqual(reused.body);

  const many = await call<DownloadsResponse>(`${service.url}/api/storage/downloads/`, {
    key,
    body: { file_paths: [path], expires_in: 7 * 24 * 3600 },
  });
  expectWithinSession(source, many.body.downloads[0]!.presigned_url, many.body.downloads[0]!.expires_at);

  const exported = await fetch(`${service.url}/api/storage/tenants/export/?tenant_id=t`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  const lines = (await exported.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const file = lines.find((line) => line.file_path === path);
  expectWithinSession(source, file.presigned_url, file.url_expires_at);

  const { file_path: parts } = await anOpenUpload(service.url, key, {
    tenant_id: "t",
    filename: "c.bin",
    size: PART_BYTES + 1,
    part_size: PART_BYTES,
  });
  const [part] = await signedParts(service.url, key, parts, [1]);
  expectWithinSession(source, part!.presigned_url, part!.expires_at);
  await sendParts(service.url, key, parts, { numbers: [1, 2] });
  const completed = await call(`${service.url}/api/storage/complete/`, { key, body: { file_path: parts } });
  expect(completed.status).toBe(200);

  expect(source.requests.filter((request) => request.includes("AssumeRole"))).toHaveLength(1);
  expect(service.log()).not.toContain(source.sessions[0]!.sessionToken.slice(0, 20));
  expect(service.log()).not.toContain(source.sessions[0]!.secretAccessKey);
});

test("an upload by parts survives the end of the session that signed its first part", async () => {
  const { source, settings } = await aPlatform(6);
  const service = await aServiceOn(settings);
  const { apiKey: key } = await aProject();
  const { file_path } = await anOpenUpload(service.url, key, {
    tenant_id: "t",
    filename: "c.bin",
    size: PART_BYTES + 1,
    part_size: PART_BYTES,
  });
  const bytes = [new Uint8Array(PART_BYTES).fill(1), new Uint8Array(1).fill(1)];
  /** Sends a part. A URL that has ended is replaced, as the client does. */
  const send = async (number: number) => {
    for (;;) {
      const [part] = await signedParts(service.url, key, file_path, [number]);
      expectWithinSession(source, part!.presigned_url, part!.expires_at);
      const status = await putBytes({ ...part! }, bytes[number - 1]!);
      if (status === 200) return part!;
      expect(ENDED).toContain(status);
    }
  };
  const first = await send(1);
  await expect.poll(() => secondsUntil(first.expires_at), { timeout: 60_000 }).toBeLessThan(-1);
  expect(ENDED).toContain(await putBytes({ ...first }, bytes[0]!));
  const second = await send(2);
  expect(tokenOf(second.presigned_url)).not.toBe(tokenOf(first.presigned_url));
  const listed = await call<ListPartsResponse>(
    `${service.url}/api/storage/uploads/parts/?${new URLSearchParams({ file_path })}`,
    { key },
  );
  expect(listed.body.parts).toHaveLength(2);
  const completed = await call<{ size: number }>(`${service.url}/api/storage/complete/`, {
    key,
    body: { file_path },
  });
  expect(completed).toMatchObject({ status: 200, body: { size: PART_BYTES + 1 } });
});

test("a platform that fails takes nothing away before the session ends, and then everything says so", async () => {
  const { source, settings } = await aPlatform(8);
  const service = await aServiceOn(settings);
  const { apiKey: key } = await aProject();
  const path = await store(service, key);
  source.mode = "refuse";
  const upload = () =>
    call(`${service.url}/api/storage/upload/`, { key, body: { tenant_id: "t", filename: "b.txt" } });
  const ready = () => call(`${service.url}/readyz`);
  const end = source.sessions.at(-1)!.expiration;
  while (secondsUntil(end) > 2) {
    const { status } = await upload();
    if (secondsUntil(end) > 2) expect(status).toBe(200);
  }
  await expect.poll(async () => (await upload()).status, { timeout: 60_000 }).toBe(503);
  expect((await upload()).body.detail).toBe("there are no credentials for storage");
  const download = await call(`${service.url}/api/storage/download/`, { key, body: { file_path: path } });
  expect(download).toMatchObject({ status: 503, body: { detail: "there are no credentials for storage" } });
  expect(await ready()).toMatchObject({
    status: 503,
    body: { detail: "Not ready: there are no credentials for storage" },
  });
  const log = service.log();
  expect(log).toContain("renewing the credentials of storage failed");
  expect(log).toContain("ExpiredTokenException, HTTP 400");
  expect(log).not.toContain(SECRET_WORDS);
  source.mode = "answer";
  source.lifetimeSeconds = 900;
  await expect.poll(async () => (await upload()).status, { timeout: 60_000 }).toBe(200);
  expect((await ready()).status).toBe(200);
});

test("a service without any credentials starts, is not ready, and reserves nothing", async () => {
  const { settings } = await aPlatform();
  vi.stubEnv("AWS_ROLE_ARN", undefined);
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  const service = await aServiceOn(settings);
  const { apiKey: key } = await aProject();
  const upload = await call(`${service.url}/api/storage/upload/`, {
    key,
    body: { tenant_id: "t", filename: "b.txt", size: 5 },
  });
  expect(upload).toMatchObject({ status: 503, body: { detail: "there are no credentials for storage" } });
  const { body: ready } = await call(`${service.url}/readyz`);
  expect(ready.detail).toBe("Not ready: there are no credentials for storage");
  const usage = await call(`${service.url}/api/storage/usage/?tenant_id=t`, { key });
  expect(usage.body).toMatchObject({ used_bytes: 0, reserved_bytes: 0 });
});

test("a file is copied to the public bucket and back, and both buckets use one session", async () => {
  const { source, settings } = await aPlatform();
  const config = readStorageConfig({ ...settings, S3_PUBLIC_BUCKET: PUBLIC_BUCKET });
  const buckets = composeBuckets(config);
  const bucketsOfFiles = composeStore(config, buckets);
  onTestFinished(() => bucketsOfFiles.close());
  const { published } = bucketsOfFiles;
  await bucketsOfFiles.write("projects/a", body, "text/plain");
  const { etag } = (await bucketsOfFiles.head("projects/a"))!;
  const headers = { contentType: "text/plain", contentDisposition: "inline" };
  expect(await published!.publish({ path: "projects/a", etag }, headers)).toEqual({ etag });
  expect(await (await fetch(published!.urlOf("projects/a"))).text()).toBe("hello");
  await bucketsOfFiles.remove("projects/a");
  expect(await published!.takeBack({ path: "projects/a", etag }, headers)).toEqual({ etag });
  expect((await published!.list("", null)).objects).toHaveLength(1);
  expect(source.sessions).toHaveLength(1);
});

test.each([
  [
    "ECS",
    ({ url }: CredentialSource) => ({
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/container`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: CONTAINER_TOKEN,
    }),
  ],
  ["EC2", ({ url }: CredentialSource) => ({ AWS_EC2_METADATA_SERVICE_ENDPOINT: url })],
])("stowage doctor finds the role of %s, and every probe passes with it", async (_name, variables) => {
  const { source, settings, env } = await aPlatform(6 * 3600);
  const { AWS_WEB_IDENTITY_TOKEN_FILE: _, AWS_ROLE_ARN: __, ...rest } = env;
  const { stdout } = await stowage(["doctor", "--json"], { ...settings, ...rest, ...variables(source) });
  const { findings } = JSON.parse(stdout) as { findings: { name: string; verdict: string; found: string }[] };
  expect(findings.filter(({ verdict }) => verdict === "fail")).toEqual([]);
  expect(findings).toContainEqual(
    expect.objectContaining({
      name: "Credential lifetime",
      verdict: "ok",
      found: expect.stringMatching(/^the platform's keys end in 3\d\d minutes, and are renewed$/),
    }),
  );
  expect(source.sessions).toHaveLength(1);
});

test("stowage doctor says that URLs are short, and that there are no credentials", async () => {
  const { source, settings, env } = await aPlatform(900);
  const short = await stowage(["doctor"], { ...settings, ...env });
  expect(short.stdout).toMatch(/info +Credential lifetime +the platform's keys end in 14 minutes/);
  source.mode = "refuse";
  const none = await stowage(["doctor"], { ...settings, ...env });
  expect(none.code).toBe(3);
  expect(none.stdout).toMatch(
    /fail +Bucket reachable +there are no credentials for storage: ExpiredTokenException, HTTP 400/,
  );
  expect(none.stdout).not.toContain(SECRET_WORDS);
});
