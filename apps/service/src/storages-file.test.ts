import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ConfigError } from "./settings/parse-settings.js";
import { readStorageNames, storagesOf } from "./settings/storage-config.js";
import { nameMembers } from "./settings/storages-file.js";
import { readConfig } from "./config.js";

const dir = mkdtempSync(join(tmpdir(), "stowage-storages-"));
afterAll(() => rmSync(dir, { recursive: true }));

const KEY = "hunter2";
const environment = {
  DATABASE_URL: "postgres://u:p@127.0.0.1/d",
  EU_KEY: "eu-key",
  EU_SECRET: KEY,
  S3_ACCESS_KEY_ID: "shared-key",
  S3_SECRET_ACCESS_KEY: KEY,
};
const eu = {
  endpoint: "https://s3.eu.example",
  region: "eu-1",
  bucket: "files-eu",
  access_key_id_env: "EU_KEY",
  secret_access_key_env: "EU_SECRET",
};
const us = { endpoint: "https://s3.us.example", region: "us-1", bucket: "files-us" };

/** Writes a file. @param content text is written unchanged */
function aFile(content: unknown): string {
  const path = join(dir, "storages.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}
const read = (content: unknown, env: Record<string, string> = {}) =>
  readConfig({ ...environment, STORAGES_FILE: aFile(content), ...env });
function refusalOf(content: unknown, env: Record<string, string> = {}): string {
  try {
    read(content, env);
    return "";
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

describe("STORAGES_FILE", () => {
  test("its members are named in place of the settings, except those of keys", () => {
    expect(nameMembers("Set S3_MAX_PARTS=1000. Check S3_PUBLIC_BUCKET and S3_ACCESS_KEY_ID")).toBe(
      "Set max_parts=1000. Check public_bucket and S3_ACCESS_KEY_ID",
    );
  });

  test("names storages, whose members stand in place of the other settings of storage", () => {
    const others = {
      S3_ENDPOINT: "https://other.example",
      S3_PUBLIC_ENDPOINT: "https://b.example",
      S3_BUCKET: "other",
    };
    const config = read(
      {
        us,
        eu: {
          ...eu,
          encryption: "aws:kms:my-key",
          max_parts: 1000,
          public_bucket: "public-eu",
          public_base_url: "https://cdn.example/",
        },
        default: "eu",
      },
      others,
    );
    expect(
      storagesOf(config).map(({ name, config }) => [
        name,
        config.S3_ENDPOINT,
        config.S3_REGION,
        config.S3_BUCKET,
      ]),
    ).toEqual([
      ["eu", "https://s3.eu.example", "eu-1", "files-eu"],
      ["us", "https://s3.us.example", "us-1", "files-us"],
    ]);
    const [first, second] = storagesOf(config).map((storage) => storage.config);
    expect(first).toMatchObject({
      S3_ACCESS_KEY_ID: "eu-key",
      S3_PUBLIC_BUCKET: "public-eu",
      S3_ENCRYPTION: { algorithm: "aws:kms", keyId: "my-key" },
      S3_MAX_PARTS: 1000,
      PUBLIC_BASE_URL: "https://cdn.example",
    });
    expect(second).toMatchObject({ S3_ACCESS_KEY_ID: "shared-key" });
    expect(second!.S3_PUBLIC_BUCKET).toBeUndefined();
    expect(config.S3_BUCKET).toBe("files-eu");
    expect(first).toMatchObject({ S3_ADDRESSING: "auto" });
    expect(readStorageNames({ STORAGES_FILE: aFile({ us, eu, default: "us" }) })).toEqual(["us", "eu"]);
  });

  test("leaves the CDN to the default storage", () => {
    const cdn = {
      CDN: "bunny",
      CDN_BUNNY_API_KEY: "k",
      CDN_BUNNY_TOKEN_KEY: "t",
      PRIVATE_BASE_URL: "https://p.example",
    };
    const config = read({ us, eu, default: "eu" }, cdn);
    expect(storagesOf(config).map(({ config }) => config.PRIVATE_BASE_URL)).toEqual([
      "https://p.example",
      undefined,
    ]);
  });

  test("is the one storage of S3_BUCKET without the file", () => {
    const config = readConfig({
      ...environment,
      S3_ENDPOINT: "https://s3.example",
      S3_BUCKET: "files",
      STORAGES_FILE: "",
    });
    expect(storagesOf(config)).toEqual([{ name: null, config }]);
    expect(() => storagesOf(config, "eu")).toThrow("STORAGES_FILE has no storage of this name.");
    expect(readStorageNames({})).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ["no JSON", "", "the file is not valid JSON."],
    [
      "JSON that ends early",
      '{\n  "default": "eu",\n  "eu": {"endpoint": "https://hunter2@x" "a"}\n}',
      "the file is not valid JSON",
    ],
    ["a list", [], "the file must have one JSON object."],
    ["null", null, "the file must have one JSON object."],
    ["no default", { eu }, 'the member "default" must be the name of a storage of the file.'],
    [
      "a default that is none",
      { default: "mars", eu },
      'the member "default" must be the name of a storage of the file.',
    ],
    [
      "a default that is an object",
      { default: eu, eu },
      'the member "default" must be the name of a storage of the file.',
    ],
    ["no storage", { default: "default" }, 'the member "default" must be the name of a storage of the file.'],
    [
      "a name with a space",
      { default: "eu", eu, "u s": us },
      "a storage must have a name of 1 to 63 letters",
    ],
    [
      "a name that is a quote",
      { default: "eu", eu, "a'": us },
      "a storage must have a name of 1 to 63 letters",
    ],
    ["an empty name", { default: "eu", eu, "": us }, "a storage must have a name of 1 to 63 letters"],
    ["a name of a prototype", '{"default": "eu", "eu": 1, "__proto__": 2}', "eu must be an object."],
    ["a storage that is text", { default: "eu", eu: "files" }, "eu must be an object."],
    [
      "an unknown member",
      { default: "eu", eu, us: { ...us, bukcet: "x" } },
      'us has an unknown member, "bukcet".',
    ],
    [
      "a key in the file",
      { default: "eu", eu: { ...eu, secret_access_key: KEY } },
      'eu has an unknown member, "secret_access_key".',
    ],
    ["no bucket", { default: "eu", eu: { ...eu, bucket: undefined } }, "eu.bucket is required."],
    ["no region", { default: "eu", eu: { ...eu, region: "" } }, "eu.region must not be empty."],
    ["a number", { default: "eu", eu: { ...eu, bucket: 5 } }, "eu.bucket must be text."],
    [
      "no URL",
      { default: "eu", eu, us: { ...us, endpoint: "s3.us.example" } },
      "us.endpoint must be an http or https URL.",
    ],
    [
      "a wrong addressing",
      { default: "eu", eu: { ...eu, addressing: "host" } },
      "eu.addressing must be auto, path or virtual.",
    ],
    [
      "virtual addressing at an IP address",
      { default: "eu", eu, us: { ...us, endpoint: "http://127.0.0.1:1", addressing: "virtual" } },
      "us.addressing can be virtual only",
    ],
    [
      "a number of parts that S3 does not have",
      { default: "eu", eu: { ...eu, max_parts: 20_000 } },
      "eu.max_parts must be",
    ],
    [
      "a wrong encryption",
      { default: "eu", eu: { ...eu, encryption: "DES" } },
      "eu.encryption must be none, AES256",
    ],
    [
      "a wrong bucket",
      { default: "eu", eu: { ...eu, public_bucket: "A_B" } },
      "eu.public_bucket must be a bucket name.",
    ],
    [
      "a base URL alone",
      { default: "eu", eu: { ...eu, public_base_url: "https://c.example" } },
      "eu.public_bucket is required with public_base_url.",
    ],
    [
      "a base URL with a query",
      { default: "eu", eu: { ...eu, public_bucket: "p-eu", public_base_url: "https://c.example?a" } },
      "eu.public_base_url must have no query and no fragment.",
    ],
    [
      "a variable that is not set",
      { default: "eu", eu, us: { ...us, access_key_id_env: KEY, secret_access_key_env: KEY } },
      "us.access_key_id_env names an environment variable that is not set.",
    ],
    [
      "one variable alone",
      { default: "eu", eu, us: { ...us, access_key_id_env: "EU_KEY" } },
      "us must have access_key_id_env and secret_access_key_env, or neither.",
    ],
    [
      "one bucket twice",
      { default: "eu", eu, us: { ...us, endpoint: "https://S3.EU.example:443/", bucket: "files-eu" } },
      "eu.bucket and us.bucket are the same bucket.",
    ],
    [
      "one bucket of Amazon by two endpoints",
      {
        default: "eu",
        eu: { ...eu, endpoint: "https://s3.eu-central-1.amazonaws.com" },
        us: { ...us, endpoint: "https://s3.dualstack.eu-central-1.amazonaws.com", bucket: "files-eu" },
      },
      "eu.bucket and us.bucket are the same bucket.",
    ],
    [
      "one bucket by a host with a dot at its end",
      { default: "eu", eu, us: { ...us, endpoint: "https://s3.eu.example./", bucket: "files-eu" } },
      "eu.bucket and us.bucket are the same bucket.",
    ],
    [
      "a name twice",
      `{"default": "eu", "eu": ${JSON.stringify(eu)}, "us": {}, "\\u0065u": ${JSON.stringify(us)}}`,
      'the name "eu" is there twice in one object.',
    ],
    [
      "a member twice",
      `{"default": "eu", "eu": {"endpoint": "https://a.example", "region": "{", "endpoint": "https://b.example"}}`,
      'the name "endpoint" is there twice in one object.',
    ],
    [
      "a user in an endpoint",
      { default: "eu", eu, us: { ...us, endpoint: "https://user:hunter2@s3.us.example" } },
      "us.endpoint must contain no user and no password.",
    ],
    [
      "an endpoint with a query",
      { default: "eu", eu, us: { ...us, endpoint: "https://s3.us.example?key=hunter2" } },
      "us.endpoint must have no query and no fragment.",
    ],
    [
      "an endpoint with its bucket",
      { default: "eu", eu, us: { ...us, endpoint: "https://files-us.nyc3.digitaloceanspaces.com" } },
      "us.endpoint must not have the bucket in its host.",
    ],
    [
      "a public bucket that is another's",
      { default: "eu", eu, us: { ...us, endpoint: eu.endpoint, public_bucket: "files-eu" } },
      "eu.bucket and us.public_bucket are the same bucket.",
    ],
    [
      "a bucket that is public too",
      { default: "eu", eu: { ...eu, public_bucket: "files-eu" } },
      "eu.public_bucket must not name the bucket of bucket.",
    ],
  ])("is refused with the place: %s", (_, content, message) => {
    const refusal = refusalOf(content);
    expect(refusal).toContain(`STORAGES_FILE: ${message}`);
    expect(refusal).not.toContain(KEY);
  });

  test("says where JSON ends early, and which file cannot be read", () => {
    expect(refusalOf('{\n  "default": "eu",\n  "eu": {"endpoint": "x" "y"}\n}')).toBe(
      "STORAGES_FILE: the file is not valid JSON (line 3, column 26).",
    );
    expect(() => readConfig({ ...environment, STORAGES_FILE: join(dir, "none.json") })).toThrow(
      "STORAGES_FILE: the file cannot be read (ENOENT).",
    );
    expect(() => readConfig({ ...environment, STORAGES_FILE: dir })).toThrow(
      "STORAGES_FILE: the file cannot be read (EISDIR).",
    );
  });

  test("allows buckets of one name at two servers", () => {
    const config = read({ default: "eu", eu, us: { ...us, bucket: "files-eu" } });
    expect(storagesOf(config)).toHaveLength(2);
  });
});
