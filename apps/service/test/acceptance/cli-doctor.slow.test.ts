import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type CORSRule,
  GetBucketCorsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutBucketCorsCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { startProvider } from "@stowage/oidc-provider";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { aBucket } from "../fixtures/a-bucket.js";
import { aDemandingStore } from "../fixtures/a-demanding-store.js";
import { stowage } from "../fixtures/command-line.js";
import { operatorClient } from "../fixtures/operator-client.js";

let s3: S3Client;
beforeAll(() => {
  s3 = operatorClient();
});
afterAll(() => s3.destroy());

/** A store of its own, because a bucket of dev-store is public from its start on. */
async function aStoreWithPublicBucket() {
  // It demands nothing.
  const { settings, close } = await aDemandingStore({});
  const client = new S3Client({
    endpoint: settings.S3_ENDPOINT,
    region: settings.S3_REGION,
    forcePathStyle: true,
    credentials: { accessKeyId: settings.S3_ACCESS_KEY_ID, secretAccessKey: settings.S3_SECRET_ACCESS_KEY },
  });
  return {
    settings,
    /** Of the public bucket, which allows everything before. */
    setRules: (CORSRules: CORSRule[]) =>
      client.send(
        new PutBucketCorsCommand({ Bucket: settings.S3_PUBLIC_BUCKET, CORSConfiguration: { CORSRules } }),
      ),
    async [Symbol.asyncDispose]() {
      client.destroy();
      await close();
    },
  };
}

/** A cache that asks the bucket without the header Origin, and keeps the answer, as a CDN does by default. */
async function aCdnWithoutOrigin(bucketUrl: string) {
  const server = createServer((request, response) => {
    void fetch(`${bucketUrl}${request.url}`).then(async (answer) => {
      const type = answer.headers.get("content-type") ?? "";
      response.writeHead(answer.status, { "Content-Type": type }).end(await answer.text());
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

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

  test("make public files readable for pages, and say which pages cannot read them", async () => {
    await using store = await aStoreWithPublicBucket();
    const { setRules, settings } = store;
    const [app, other] = ["https://app.example.com", "https://other.example.com"];
    const lineOf = async (more: Record<string, string> = {}) => {
      const asked = ["--origin", app, "--origin", other];
      const { code, stdout } = await stowage(["doctor", ...asked], { ...settings, ...more });
      const line = /^(\w+) +CORS of public files +(.*)\n(?: +→ (.*)\n)?/m.exec(stdout)?.slice(1);
      return { code, line };
    };
    const advice = `Run: stowage cors apply --origin ${app} --origin ${other}`;
    const refused = (origins: string) => [
      "warn",
      `the public bucket lets no page of ${origins} read files with fetch`,
      advice,
    ];
    const foreign = { ID: "theirs", AllowedOrigins: ["https://x.example"], AllowedMethods: ["GET"] };
    await setRules([foreign]);
    expect(await lineOf()).toEqual({ code: 2, line: refused(`${app}, ${other}`) });
    await setRules([
      { AllowedOrigins: [app], AllowedMethods: ["GET"] },
      { AllowedOrigins: [other], AllowedMethods: ["PUT"] },
    ]);
    expect((await lineOf()).line).toEqual(refused(other));
    const readers = { AllowedOrigins: [app, other], AllowedMethods: ["GET"] };
    await setRules([{ ...readers, ExposeHeaders: ["ETag"] }]);
    expect((await lineOf()).line).toEqual([
      "warn",
      expect.stringContaining("not the headers Accept-Ranges"),
      advice,
    ]);
    await setRules([
      { ...readers, ExposeHeaders: ["ETag", "Accept-Ranges", "Content-Range", "Content-Encoding"] },
    ]);
    const right = ["ok", `pages of ${app}, ${other} may read public files`, undefined];
    expect(await lineOf()).toEqual({ code: 0, line: right });

    // A CDN that asks the bucket once, and keeps this answer for every page.
    await using cdn = await aCdnWithoutOrigin(`${settings.S3_ENDPOINT}/${settings.S3_PUBLIC_BUCKET}`);
    const byCdn = await lineOf({ PUBLIC_BASE_URL: cdn.url });
    expect(byCdn.line).toEqual([
      "warn",
      `the bucket allows it, but PUBLIC_BASE_URL lets no page of ${app}, ${other} read files with fetch`,
      `Let the CDN at ${cdn.url} add "Access-Control-Allow-Origin: *" to its answers.`,
    ]);

    await setRules([foreign]);
    const applied = await stowage(["cors", "apply", "--origin", app, "--json"], settings);
    expect(JSON.parse(applied.stdout)).toMatchObject({
      rules: [{ id: "stowage", origins: [app], methods: ["PUT", "GET", "HEAD"] }],
      public_rules: [{ id: "stowage", origins: ["*"], methods: ["GET", "HEAD"] }, { id: "theirs" }],
    });
    expect((await lineOf()).line).toEqual(right);
  });

  test("allow an app's own scheme, and say what to use in place of the origin null", async () => {
    const S3_BUCKET = await aBucket();
    const origin = "app://bundle";
    await stowage(["cors", "apply", "--origin", origin], { S3_BUCKET });
    const { stdout } = await stowage(["doctor", "--origin", origin], { S3_BUCKET });
    expect(stdout).toMatch(/^ok +CORS +pages of app:\/\/bundle may upload$/m);
    const refused = await stowage(["cors", "apply", "--origin", "null"], { S3_BUCKET });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("--origin app://bundle");
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

  test("keep existing CORS rules, after the new one, because storage applies the first that matches", async () => {
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
      { id: "stowage", origins: ["https://a.example"], headers: ["*"], max_age_seconds: 600 },
      { id: "theirs", origins: ["https://x.example"], methods: ["GET"] },
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
