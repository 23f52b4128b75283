import {
  GetBucketCorsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutBucketCorsCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { startProvider } from "@stowage/oidc-provider";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { aBucket } from "../fixtures/a-bucket.js";
import { stowage } from "../fixtures/command-line.js";
import { operatorClient } from "../fixtures/operator-client.js";

let s3: S3Client;
beforeAll(() => {
  s3 = operatorClient();
});
afterAll(() => s3.destroy());

async function aProvider() {
  const provider = await startProvider({ redirectUri: "http://localhost/auth/callback/oidc" });
  return { issuer: provider.issuer, [Symbol.asyncDispose]: () => provider.close() };
}

describe("stowage doctor and cors", () => {
  test("find what prevents a page from uploading, repair it, and leave nothing in the bucket", async () => {
    const S3_BUCKET = await aBucket();
    const origin = "https://app.example.com";
    const applied = await stowage(["cors", "apply", "--origin", "https://other.example.com", "--json"], {
      S3_BUCKET,
    });
    expect(applied).toMatchObject({ code: 0, stderr: "" });
    const sick = await stowage(["doctor", "--origin", origin], { S3_BUCKET });
    expect(sick.code).toBe(3);
    expect(sick.stdout).toContain(`Run: stowage cors apply --origin ${origin}`);

    await stowage(["cors", "apply", "--origin", origin, "--origin", "http://localhost:3000"], { S3_BUCKET });
    const { CORSRules: rules } = await s3.send(new GetBucketCorsCommand({ Bucket: S3_BUCKET }));
    expect(rules).toHaveLength(1);
    expect(rules?.[0]?.AllowedOrigins?.toSorted()).toEqual(["http://localhost:3000", origin]);
    const well = await stowage(["doctor", "--origin", origin, "--json"], { S3_BUCKET });
    const { findings } = JSON.parse(well.stdout);
    const verdicts = findings.map((it: { name: string; verdict: string }) => `${it.verdict} ${it.name}`);
    expect(verdicts).toEqual(
      expect.arrayContaining([
        "ok CORS",
        "ok Upload by parts",
        "ok Part length enforced",
        "ok Part MD5 enforced",
        "ok Part ETag",
        "ok Abort",
        "ok Listing of uploads",
      ]),
    );
    expect(findings[0]).toMatchObject({
      name: "Database",
      verdict: "ok",
      found: expect.stringMatching(
        inject("citus")
          ? /^Citus on PostgreSQL [\d.]+ with 2 workers: \d+ tables in 4 shards each, by project \(.*files.*\)$/
          : /^PostgreSQL [\d.]+ on one machine$/,
      ),
    });
    // Ceph 16 accepts two unsigned headers. The doctor reports them, and uploads work.
    expect([0, 2]).toContain(well.code);
    expect(verdicts.filter((it: string) => /^(warn|fail)/.test(it)).length > 0).toBe(well.code === 2);
    expect(well.stdout + sick.stdout).not.toContain(inject("servers").S3_SECRET_ACCESS_KEY);
    const { KeyCount } = await s3.send(new ListObjectsV2Command({ Bucket: S3_BUCKET }));
    expect(KeyCount).toBe(0);
    const { Uploads } = await s3.send(new ListMultipartUploadsCommand({ Bucket: S3_BUCKET }));
    expect(Uploads ?? []).toEqual([]);
  });

  test("tell whether files can be public: published, read by everyone, and taken back", async () => {
    const S3_PUBLIC_BUCKET = inject("publicBucket")!;
    const lineOf = async (settings: Record<string, string>) => {
      const { stdout } = await stowage(["doctor"], settings);
      return stdout.split("\n").find((line) => line.includes("Public files"));
    };
    expect(await lineOf({})).toBeUndefined();
    expect(await lineOf({ S3_PUBLIC_BUCKET })).toMatch(/^ok .*everyone can read published files at http/);
    // A bucket that everyone can read only with a signature.
    expect(await lineOf({ S3_PUBLIC_BUCKET: await aBucket() })).toMatch(/^fail .*HTTP 403 AccessDenied/);
    expect(await lineOf({ S3_PUBLIC_BUCKET: "no-such-bucket" })).toMatch(/^fail .*does not copy an object/);
    const { Contents } = await s3.send(
      new ListObjectsV2Command({ Bucket: S3_PUBLIC_BUCKET, Prefix: "stowage-doctor/" }),
    );
    expect(Contents ?? []).toEqual([]);
  });

  test("warn of CORS rules that allow uploads, but not the header of cache_control", async () => {
    const S3_BUCKET = await aBucket();
    const origin = "https://app.example.com";
    const rule = {
      AllowedOrigins: [origin],
      AllowedMethods: ["PUT"],
      AllowedHeaders: ["Content-Type", "Content-MD5"],
    };
    const setRules = (...CORSRules: (typeof rule)[]) =>
      s3.send(new PutBucketCorsCommand({ Bucket: S3_BUCKET, CORSConfiguration: { CORSRules } }));
    const findCors = async () => {
      const { stdout } = await stowage(["doctor", "--origin", origin], { S3_BUCKET });
      return /^(\w+) +CORS +(.*)$/m.exec(stdout)?.slice(1);
    };
    await setRules(rule);
    expect(await findCors()).toEqual(["warn", expect.stringContaining("no file with cache_control")]);
    await setRules({ ...rule, AllowedHeaders: [...rule.AllowedHeaders, "Cache-Control"] });
    expect(await findCors()).toEqual(["ok", `pages of ${origin} may upload`]);
  });

  test("keep existing CORS rules", async () => {
    const S3_BUCKET = await aBucket();
    const theirs = { ID: "theirs", AllowedOrigins: ["https://x.example"], AllowedMethods: ["GET"] };
    await s3.send(
      new PutBucketCorsCommand({ Bucket: S3_BUCKET, CORSConfiguration: { CORSRules: [theirs] } }),
    );
    await stowage(["cors", "apply", "--origin", "https://first.example"], { S3_BUCKET });
    const { code, stdout } = await stowage(["cors", "apply", "--origin", "https://a.example", "--json"], {
      S3_BUCKET,
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).rules).toMatchObject([
      { id: "theirs", origins: ["https://x.example"], methods: ["GET"] },
      { id: "stowage", origins: ["https://a.example"], headers: ["*"], max_age_seconds: 600 },
    ]);
  });

  test("read the discovery document of the provider of OpenID Connect", async () => {
    await using provider = await aProvider();
    const lineOf = async (issuer: string) => {
      const { stdout } = await stowage(["doctor"], { OIDC_ISSUER: issuer });
      return /^(\w+) +OpenID Connect +(.*)$/m.exec(stdout)?.slice(1);
    };
    expect(await lineOf(provider.issuer)).toEqual(["ok", "the provider's discovery document is usable"]);
    expect(await lineOf(`${provider.issuer}/other`)).toEqual(["warn", expect.stringContaining("404")]);
    expect(await lineOf("http://127.0.0.1:1")).toEqual([
      "warn",
      "discovery cannot be reached (network error)",
    ]);
  });

  test("fail with advice if the bucket does not exist", async () => {
    const { code, stdout } = await stowage(["doctor"], { S3_BUCKET: "not-there-at-all" });
    expect(code).toBe(3);
    expect(stdout).toMatch(/fail +Bucket reachable +the bucket not-there-at-all does not exist\n +→ Create/);
  });
});
