import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Encryption } from "#object-store/encryption.js";
import { ConfigError } from "./settings/parse-settings.js";
import {
  readConfig,
  readDatabaseConfig,
  readMigrationConfig,
  readOperatorConfig,
  readStorageConfig,
  readWebhookConfig,
} from "./config.js";

const good = {
  DATABASE_URL: "postgres://u:hunter2@127.0.0.1/d",
  S3_ENDPOINT: "http://127.0.0.1:4001",
  S3_BUCKET: "stowage",
  S3_ACCESS_KEY_ID: "a",
  S3_SECRET_ACCESS_KEY: "hunter2",
};

describe("the settings", () => {
  test("have defaults, and treat an empty variable as not set", () => {
    expect(readConfig({ ...good, PORT: "", S3_REGION: "" })).toMatchObject({
      PORT: 4000,
      S3_REGION: "us-east-1",
    });
  });

  test.each(["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"])("refuse %s without the other key", (name) => {
    for (const read of [readConfig, readStorageConfig])
      expect(() => read({ ...good, [name]: "" })).toThrow(
        new ConfigError(
          "The settings S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be given together, or neither for the credentials of the platform.",
        ),
      );
  });

  test("take the password of the database from one place", () => {
    const DATABASE_URL = "postgres://u@127.0.0.1/d";
    const dir = mkdtempSync(join(tmpdir(), "stowage-config-"));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    const [file, command] = [join(dir, "password"), "print-token"];
    writeFileSync(file, "password\n");
    const both = { ...good, DATABASE_URL, DATABASE_PASSWORD_FILE: file, DATABASE_PASSWORD_COMMAND: command };
    const withPassword = { ...good, DATABASE_PASSWORD_COMMAND: command };
    for (const read of [
      readConfig,
      readDatabaseConfig,
      readOperatorConfig,
      readWebhookConfig,
      readMigrationConfig,
    ]) {
      expect(() => read(both)).toThrow(
        "The settings DATABASE_PASSWORD_FILE and DATABASE_PASSWORD_COMMAND must not be given together.",
      );
      expect(() => read(withPassword)).toThrow(
        "The setting DATABASE_URL must have no password with DATABASE_PASSWORD_COMMAND.",
      );
      expect(() => read({ ...good, DATABASE_URL, DATABASE_PASSWORD_FILE: "/no/such/file" })).toThrow(
        "The setting DATABASE_PASSWORD_FILE cannot be read (ENOENT).",
      );
    }
    const migrating = { DATABASE_URL, DATABASE_PASSWORD_COMMAND: command };
    const password = { command };
    expect(readMigrationConfig(migrating)).toMatchObject({ url: DATABASE_URL, password });
    expect(
      readMigrationConfig({ ...migrating, MIGRATION_DATABASE_URL: "postgres://o@h/d" }).password,
    ).toEqual(password);
    expect(
      readMigrationConfig({ ...migrating, MIGRATION_DATABASE_URL: "postgres://o:p@h/d" }).password,
    ).toBeUndefined();
  });

  test("may leave both S3 keys out", () => {
    const config = readStorageConfig({ ...good, S3_ACCESS_KEY_ID: "", S3_SECRET_ACCESS_KEY: "" });
    expect(config.S3_ACCESS_KEY_ID).toBeUndefined();
  });

  test("of public files belong together", () => {
    const bucket = { ...good, S3_PUBLIC_BUCKET: "stowage-public" };
    const based = { ...bucket, PUBLIC_BASE_URL: "https://files.example.com/" };
    const bunny = { CDN: "bunny", CDN_BUNNY_API_KEY: "k" };
    const behind = { PRIVATE_BASE_URL: "https://private.example.com/" };
    expect(readConfig({ ...good, ...behind, ...bunny, CDN_BUNNY_TOKEN_KEY: "t" }).PRIVATE_BASE_URL).toBe(
      "https://private.example.com",
    );
    const cloudFront = { CDN: "cloudfront", CDN_CLOUDFRONT_DISTRIBUTION_ID: "E1" };
    expect(readConfig(based).PUBLIC_BASE_URL).toBe("https://files.example.com");
    expect(readConfig({ ...based, ...bunny }).CDN).toBe("bunny");
    expect(readConfig({ ...based, ...cloudFront }).CDN).toBe("cloudfront");
    const refused: [Record<string, string>, RegExp][] = [
      [{ ...bucket, S3_PUBLIC_BUCKET: "stowage" }, /S3_PUBLIC_BUCKET must not name the bucket of S3_BUCKET/],
      [
        { ...good, PUBLIC_BASE_URL: "https://a.example" },
        /S3_PUBLIC_BUCKET is required with PUBLIC_BASE_URL/,
      ],
      [{ ...bucket, ...bunny }, /PUBLIC_BASE_URL is required with CDN/],
      [{ ...good, ...bunny }, /S3_PUBLIC_BUCKET is required with CDN/],
      [{ ...based, CDN: "bunny" }, /CDN_BUNNY_API_KEY is required with CDN/],
      [{ ...based, CDN: "cloudfront" }, /CDN_CLOUDFRONT_DISTRIBUTION_ID is required with CDN/],
      [{ ...based, CDN: "akamai" }, /CDN must be bunny or cloudfront/],
      [{ ...based, ...cloudFront, CDN_CLOUDFRONT_ACCESS_KEY_ID: "a" }, /must be given together/],
      [{ ...good, ...behind }, /CDN is required with PRIVATE_BASE_URL/],
      [{ ...good, ...behind, ...bunny }, /CDN_BUNNY_TOKEN_KEY is required with CDN/],
      [
        { ...good, ...behind, CDN: "cloudfront" },
        /CDN_CLOUDFRONT_PRIVATE_DISTRIBUTION_ID is required with CDN/,
      ],
      [
        { ...good, CDN_CLOUDFRONT_PRIVATE_KEY: "secret" },
        /CDN_CLOUDFRONT_PRIVATE_KEY must be an RSA private key/,
      ],
      [{ ...bucket, PUBLIC_BASE_URL: "https://a.example/?x=1" }, /PUBLIC_BASE_URL must have no query/],
    ];
    for (const [settings, message] of refused) expect(() => readConfig(settings)).toThrow(message);
  });

  test.each<[string, Encryption | null]>([
    ["", null],
    ["none", null],
    ["AES256", { algorithm: "AES256" }],
    ["aws:kms", { algorithm: "aws:kms" }],
    ["aws:kms:alias/files", { algorithm: "aws:kms", keyId: "alias/files" }],
    [
      "aws:kms:arn:aws:kms:eu-central-1:1:key/a-b",
      { algorithm: "aws:kms", keyId: "arn:aws:kms:eu-central-1:1:key/a-b" },
    ],
  ])("say how storage encrypts: %j", (S3_ENCRYPTION, encryption) => {
    expect(readConfig({ ...good, S3_ENCRYPTION }).S3_ENCRYPTION).toEqual(encryption);
  });

  test("are split at commas where they are lists", () => {
    const [one, two] = [
      "arn:aws:sns:us-east-1:123456789012:a",
      "arn:aws-cn:sns:cn-north-1:123456789012:b.fifo",
    ];
    const topics = (text?: string) =>
      readConfig({ ...good, STORAGE_EVENTS_SNS_TOPICS: text }).STORAGE_EVENTS_SNS_TOPICS;
    expect(topics()).toEqual([]);
    expect(topics(one)).toEqual([one]);
    expect(topics(` ${one} , ${two},`)).toEqual([one, two]);
  });

  test.each([
    ["https://Tools.Example:443/Stowage/", "https://tools.example/Stowage"],
    ["https://tools.example/a/b///", "https://tools.example/a/b"],
    ["https://tools.example/a/../stowage/.", "https://tools.example/stowage"],
    ["https://tools.example/dashboard", "https://tools.example/dashboard"],
    ["https://tools.example//", "https://tools.example"],
  ])("normalise the dashboard's address %s to %s", (address, normal) => {
    expect(readConfig({ ...good, DASHBOARD_URL: address }).DASHBOARD_URL).toBe(normal);
  });

  test("normalise the dashboard's address to an origin and split the list of proxies", () => {
    const { DASHBOARD_URL, TRUSTED_PROXIES } = readConfig({
      ...good,
      DASHBOARD_URL: "https://Storage.Example:443/",
      TRUSTED_PROXIES: "10.0.0.0/8, ::1",
    });
    expect([DASHBOARD_URL, TRUSTED_PROXIES]).toEqual(["https://storage.example", ["10.0.0.0/8", "::1"]]);
  });

  test("migrate with MIGRATION_DATABASE_URL, or else with DATABASE_URL", () => {
    const own = "postgres://owner:hunter2@127.0.0.1/d";
    expect(readMigrationConfig({ ...good, MIGRATION_DATABASE_URL: "" })).toMatchObject({
      url: good.DATABASE_URL,
      setting: "DATABASE_URL",
    });
    expect(readMigrationConfig({ MIGRATION_DATABASE_URL: own })).toMatchObject({
      url: own,
      setting: "MIGRATION_DATABASE_URL",
    });
    expect(() => readMigrationConfig({})).toThrow(new ConfigError("The setting DATABASE_URL is required."));
  });

  test.each([
    [{ DASHBOARD_URL: "storage.example" }, "The setting DASHBOARD_URL must be an http or https URL."],
    [
      { DASHBOARD_URL: "https://a.example/?b" },
      "The setting DASHBOARD_URL must have no query and no fragment.",
    ],
    [
      { DASHBOARD_URL: "https://a.example/b#" },
      "The setting DASHBOARD_URL must have no query and no fragment.",
    ],
    [
      { DASHBOARD_URL: "https://ada:secret@a.example/b" },
      "The setting DASHBOARD_URL must contain no user and no password.",
    ],
    ...["/b//c", "/%2e%2e%2fb", "/ü", "/b;c", "/b'c", "/b%20c"].map((path): [object, string] => [
      { DASHBOARD_URL: `https://a.example${path}` },
      "The setting DASHBOARD_URL may have a path only of letters, digits, '-', '.', '_', '~' and single slashes.",
    ]),
    ...["/docs", "/docs/b", "/trpc/", "/api/storage"].map((path): [object, string] => [
      { DASHBOARD_URL: `https://a.example${path}` },
      "The setting DASHBOARD_URL must not have a path that the service needs itself, such as /docs.",
    ]),
    [{ SIGN_IN_SECRET: "hunter2" }, "The setting SIGN_IN_SECRET must be at least 32 characters."],
    [
      { TRUSTED_PROXIES: "10.0.0.0/8, hunter2" },
      "The setting TRUSTED_PROXIES must be IP addresses or networks, separated by commas.",
    ],
    [
      { TRUSTED_PROXIES: "10.0.0.0/33" },
      "The setting TRUSTED_PROXIES must be IP addresses or networks, separated by commas.",
    ],
    [{ DATABASE_URL: "" }, "The setting DATABASE_URL is required."],
    [{ DATABASE_URL: "mysql://hunter2" }, "The setting DATABASE_URL must start with postgres://."],
    [
      { MIGRATION_DATABASE_URL: "hunter2" },
      "The setting MIGRATION_DATABASE_URL must start with postgres://.",
    ],
    [{ REQUIRE_TWO_FACTOR: "hunter2" }, "The setting REQUIRE_TWO_FACTOR must be on or off."],
    [{ MIGRATE: "hunter2" }, "The setting MIGRATE must be on or off."],
    [{ DATABASE_PREPARED: "no" }, "The setting DATABASE_PREPARED must be on or off."],
    [{ PORT: "http" }, "The setting PORT must be a number."],
    [{ PORT: "70000" }, "The setting PORT must be at most 65535."],
    [{ S3_ENDPOINT: "127.0.0.1:4001" }, "The setting S3_ENDPOINT must be an http or https URL."],
    [
      { S3_ENDPOINT: "https://user:hunter2@s3.example" },
      "The setting S3_ENDPOINT must contain no user and no password.",
    ],
    [
      { S3_PUBLIC_ENDPOINT: "https://s3.example/#hunter2" },
      "The setting S3_PUBLIC_ENDPOINT must have no query and no fragment.",
    ],
    ...["https://files.s3.eu-central-1.amazonaws.com", "https://files.nyc3.digitaloceanspaces.com/"].map(
      (S3_ENDPOINT): [Record<string, string>, string] => [
        { S3_ENDPOINT, S3_BUCKET: "files" },
        "The setting S3_ENDPOINT must not have the bucket in its host.",
      ],
    ),
    [{ S3_PUBLIC_ENDPOINT: "ftp://x" }, "The setting S3_PUBLIC_ENDPOINT must be an http or https URL."],
    [{ S3_BUCKET: "No Bucket" }, "The setting S3_BUCKET must be a bucket name."],
    [{ S3_ADDRESSING: "dns" }, "The setting S3_ADDRESSING must be auto, path or virtual."],
    ...[
      { S3_ENDPOINT: "http://127.0.0.1:4001" },
      { S3_ENDPOINT: "https://s3.example", S3_PUBLIC_BUCKET: "files.example" },
      { S3_ENDPOINT: "http://s3.example", S3_PUBLIC_ENDPOINT: "https://[2001:db8::1]" },
    ].map((endpoint): [Record<string, string>, string] => [
      { ...endpoint, S3_ADDRESSING: "virtual" },
      "The setting S3_ADDRESSING can be virtual only for an endpoint with a name, and with https only for buckets without dots.",
    ]),
    ...["aes256", "aws:kms:", "aws:kms:a b", "aws:kms:a\r\nb: c", "AES256:key"].map(
      (S3_ENCRYPTION): [Record<string, string>, string] => [
        { S3_ENCRYPTION },
        "The setting S3_ENCRYPTION must be none, AES256, aws:kms or aws:kms: and the ID of a key.",
      ],
    ),
    [
      { STORAGE_EVENTS_SECRET: "hunter2" },
      "The setting STORAGE_EVENTS_SECRET must be at least 16 characters.",
    ],
    [
      { STORAGE_EVENTS_SNS_TOPICS: "arn:aws:sns:us-east-1:123456789012:a, arn:aws:s3:::hunter2" },
      "The setting STORAGE_EVENTS_SNS_TOPICS must be ARNs of SNS topics, separated by commas.",
    ],
    [
      { LOG_LEVEL: "loud" },
      "The setting LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent.",
    ],
  ])("refuse %j in one sentence without the value", (wrong, sentence) => {
    expect(() => readConfig({ ...good, ...wrong })).toThrow(new ConfigError(sentence));
  });
});
