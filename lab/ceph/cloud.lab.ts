import { randomBytes } from "node:crypto";
import dns from "node:dns";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CreateBucketCommand,
  HeadObjectCommand,
  PutBucketPolicyCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import type { DownloadResponse, File } from "@stowage/schemas";
import { aProject } from "@stowage/service/test/fixtures/a-project.js";
import { aService } from "@stowage/service/test/fixtures/a-service.js";
import { aStoredFile } from "@stowage/service/test/fixtures/a-stored-file.js";
import { anOpenUpload, anUpload, call, putBytes } from "@stowage/service/test/fixtures/call.js";
import { stowage } from "@stowage/service/test/fixtures/command-line.js";
import { operatorClient } from "@stowage/service/test/fixtures/operator-client.js";
import { PART_BYTES, sendParts } from "@stowage/service/test/fixtures/send-parts.js";
import { afterAll, afterEach, beforeAll, expect, inject, onTestFinished, test, vi } from "vitest";

/* What a company's cloud demands, on Ceph: sessions of a role, encryption by a policy, and the bucket in the host. */

const user = JSON.parse(process.env["CEPH_LIMITED_USER"]!) as {
  accessKeyId: string;
  secretAccessKey: string;
};

let owner: S3Client;
beforeAll(() => void (owner = operatorClient()));
afterAll(() => owner.destroy());
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

async function aBucket(): Promise<string> {
  const Bucket = `cloud-${randomBytes(4).toString("hex")}`;
  await owner.send(new CreateBucketCommand({ Bucket }));
  return Bucket;
}

async function aServiceOn(settings: Record<string, string>): Promise<string> {
  const service = await aService(settings);
  onTestFinished(() => service.close());
  return service.url;
}

async function download(url: string, key: string, body: object): Promise<{ url: string; bytes: Buffer }> {
  const answer = await call<DownloadResponse>(`${url}/api/storage/download/`, { key, body });
  expect(answer.status).toBe(200);
  const { presigned_url } = answer.body;
  const got = await fetch(presigned_url);
  expect(got.status).toBe(200);
  return { url: presigned_url, bytes: Buffer.from(await got.arrayBuffer()) };
}

/** Uploads one file with one PUT and one by two parts, the second with the other service, and downloads both. */
async function expectFilesWork(url: string, other = url) {
  const { apiKey: key } = await aProject();
  const { file_path } = await aStoredFile(url, key, { bytes: "hello" });
  const whole = await download(url, key, { file_path });
  expect(whole.bytes.toString()).toBe("hello");
  const size = PART_BYTES + 1;
  const opened = await anOpenUpload(url, key, {
    tenant_id: "t",
    filename: "b.bin",
    size,
    part_size: PART_BYTES,
  });
  await sendParts(url, key, opened.file_path, { numbers: [1] });
  await sendParts(other, key, opened.file_path, { numbers: [2] });
  const body = { file_path: opened.file_path };
  const completed = await call<File>(`${other}/api/storage/complete/`, { key, body });
  expect(completed.body).toMatchObject({ status: "stored", size });
  expect((await download(other, key, body)).bytes.equals(Buffer.alloc(size, 1))).toBe(true);
  return { key, path: file_path, partsPath: opened.file_path, whole: whole.url };
}

test("a role's session signs uploads, parts and downloads, also after another session has taken over", async () => {
  const dir = await mkdtemp(join(tmpdir(), "stowage-ceph-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  const config = join(dir, "config");
  const role = "role_arn = arn:aws:iam:::role/stowage\nsource_profile = base\nduration_seconds = 900\n";
  const base = `aws_access_key_id = ${user.accessKeyId}\naws_secret_access_key = ${user.secretAccessKey}\n`;
  await writeFile(config, `[profile stowage]\n${role}[profile base]\n${base}`);
  const { S3_ENDPOINT, S3_REGION } = inject("servers");
  const env = { AWS_CONFIG_FILE: config, AWS_PROFILE: "stowage", AWS_ENDPOINT_URL_STS: S3_ENDPOINT };
  for (const [name, value] of Object.entries({ ...env, AWS_REGION: S3_REGION })) vi.stubEnv(name, value);
  const settings = { S3_BUCKET: await aBucket(), S3_ACCESS_KEY_ID: "", S3_SECRET_ACCESS_KEY: "" };
  // Each has a session of its own.
  const [one, two] = [await aServiceOn(settings), await aServiceOn(settings)];
  const { key, path, whole } = await expectFilesWork(one, two);
  const tokenOf = (url: string) => new URL(url).searchParams.get("X-Amz-Security-Token");
  expect(tokenOf(whole)).toMatch(/.{100}/);
  const ask = { file_path: path, reuse: true, expires_in: 604_800 };
  const reused = await download(two, key, ask);
  expect(tokenOf(reused.url)).not.toBe(tokenOf(whole));
  // Its signature is dated days before the session, unless the window of 3.5 days has just begun.
  const windowSeconds = 302_400;
  const signedAt = new URL(reused.url).searchParams.get("X-Amz-Date");
  const start = new Date(Math.floor(Date.now() / 1000 / windowSeconds) * windowSeconds * 1000);
  expect(signedAt).toBe(start.toISOString().replace(/[-:]|\.\d+/g, ""));
});

/** Lets storage refuse each PUT without the header, or only those with another value of it. */
async function demandEncryption(Bucket: string, algorithm: string, { always }: { always: boolean }) {
  const name = "s3:x-amz-server-side-encryption";
  const Resource = [`arn:aws:s3:::${Bucket}/*`];
  // For Ceph 16, a header that is missing is not another one.
  const conditions = [{ StringNotEquals: { [name]: algorithm } }, { Null: { [name]: "true" } }];
  const Statement = conditions
    .slice(0, always ? 2 : 1)
    .map((Condition) => ({ Effect: "Deny", Principal: "*", Action: ["s3:PutObject"], Resource, Condition }));
  const Policy = JSON.stringify({ Version: "2012-10-17", Statement });
  await owner.send(new PutBucketPolicyCommand({ Bucket, Policy }));
}

test.each([
  // Ceph 16 takes the header, and has no key for it.
  ["AES256", "AES256", undefined],
  ["aws:kms:testing", "aws:kms", "aws:kms"],
])(
  "a bucket whose policy demands encryption takes the uploads of S3_ENCRYPTION=%s",
  async (setting, algorithm, stored) => {
    const Bucket = await aBucket();
    await demandEncryption(Bucket, algorithm, { always: true });
    const { apiKey: key } = await aProject();
    const send = async (url: string) => {
      const upload = await anUpload(url, key, { tenant_id: "t", filename: "a.txt" });
      return putBytes(upload, Buffer.from("hello"));
    };
    expect(await send(await aServiceOn({ S3_BUCKET: Bucket }))).toBe(403);
    const url = await aServiceOn({ S3_BUCKET: Bucket, S3_ENCRYPTION: setting });
    expect(await send(url)).toBe(200);

    // Ceph 16 does not look at the headers of an upload by parts, so this policy refuses them all.
    await demandEncryption(Bucket, algorithm, { always: false });
    const { path, partsPath } = await expectFilesWork(url);
    for (const Key of [path, partsPath]) {
      const { ServerSideEncryption } = await owner.send(new HeadObjectCommand({ Bucket, Key }));
      expect(ServerSideEncryption).toBe(stored);
    }
  },
);

test("S3_ADDRESSING=virtual puts the bucket into the host, and auto into the path", async () => {
  // Not every machine finds names below `localhost`, as RFC 6761 wants.
  const { lookup } = dns;
  const find = (name: string, ...rest: unknown[]) =>
    (lookup as (...args: unknown[]) => void)(name.replace(/^.+\.localhost$/, "localhost"), ...rest);
  vi.spyOn(dns, "lookup").mockImplementation(find as typeof dns.lookup);
  const S3_BUCKET = await aBucket();
  const S3_ENDPOINT = inject("servers").S3_ENDPOINT.replace("127.0.0.1", "localhost");
  const url = await aServiceOn({ S3_ENDPOINT, S3_BUCKET, S3_ADDRESSING: "virtual" });
  const { whole } = await expectFilesWork(url);
  expect(new URL(whole).host).toBe(`${S3_BUCKET}.${new URL(S3_ENDPOINT).host}`);
  // Ceph takes both, and then the path wins.
  const { whole: found } = await expectFilesWork(await aServiceOn({ S3_ENDPOINT, S3_BUCKET }));
  expect(new URL(found).host).toBe(new URL(S3_ENDPOINT).host);
});

test("a file is published and taken back, pages may upload after cors apply, and the doctor finds nothing that breaks uploads", async () => {
  const { apiKey: key } = await aProject();
  const S3_PUBLIC_BUCKET = inject("publicBucket")!;
  const url = await aServiceOn({ S3_PUBLIC_BUCKET });
  const { file_path } = await aStoredFile(url, key, { bytes: "hello" });
  const change = (visibility: string) =>
    call<File>(`${url}/api/storage/visibility/`, { key, body: { file_path, visibility } });
  const { public_url } = (await change("public")).body;
  expect(await (await fetch(public_url!)).text()).toBe("hello");
  expect((await change("private")).body).not.toHaveProperty("public_url");
  // Ceph does not say to everyone that an object is missing.
  expect((await fetch(public_url!)).status).toBe(403);

  const settings = { ...inject("servers"), S3_BUCKET: await aBucket(), S3_PUBLIC_BUCKET };
  const origin = ["--origin", "https://app.example.com"];
  expect((await stowage(["cors", "apply", ...origin], settings)).code).toBe(0);
  const { stdout } = await stowage(["doctor", "--json", ...origin], settings);
  const { findings } = JSON.parse(stdout) as { findings: { name: string; verdict: string }[] };
  expect(findings.filter(({ verdict }) => verdict === "fail")).toEqual([]);
  const ok = findings.filter(({ verdict }) => verdict === "ok").map(({ name }) => name);
  expect(ok).toEqual(expect.arrayContaining(["Upload and download", "Upload by parts", "CORS"]));
});
