import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { composeDatabase, composeStorages } from "@stowage/service/compose-adapters";
import { readDatabaseConfig, readStorageConfig } from "@stowage/service/config";
import { createPresigner, type PresignerOptions } from "@stowage/service/object-store/presign";
import { summarise } from "../measure/statistics.js";
import { ratios, takeTurns } from "../measure/take-turns.js";
import { connect } from "../processes/connect.js";
import { migrateDatabase } from "../processes/migrate-database.js";
import { startDatabase } from "../processes/start-database.js";
import type { Row, RowTools } from "../row.js";

const ROUNDS = 101;
const URLS = 400;

const where = {
  endpoint: "http://127.0.0.1:9000",
  region: "us-east-1",
  credentials: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" },
};
const bucket = "bench";
const contentType = "image/jpeg";
const sizeBytes = 1000;
const put = { contentType, sizeBytes, contentMd5: undefined };
const expiresInSeconds = 3600;
const keyId = "arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";

const credentials = { ...where.credentials, sessionToken: "IQoJb3JpZ2luX2VjE/+".repeat(58) };
const MORE = [
  "the headers of AES256",
  "the headers of aws:kms",
  "a session token of 1,100 characters",
] as const;

/** One presigned PUT with the same signature. */
export const signingRow: Row = {
  name: "signing",
  async run(tools) {
    const { atEnd, say } = tools;
    const signerWith = (more: Partial<PresignerOptions> = {}) => {
      const { presignPut } = createPresigner({ ...where, bucket, ...more });
      return (path: string, signedAt: Date) => presignPut({ path, ...put, signedAt, expiresInSeconds });
    };
    const { only, second } = await signersOfStorages(tools);
    const ours = signerWith();
    const client = new S3Client({
      ...where,
      forcePathStyle: true,
      requestChecksumCalculation: "WHEN_REQUIRED",
    });
    atEnd(async () => client.destroy());
    const headers = new Set(["host", "content-type", "content-length"]);
    const sdks = (Key: string, signingDate: Date) =>
      getSignedUrl(
        client,
        new PutObjectCommand({ Bucket: bucket, Key, ContentType: contentType, ContentLength: sizeBytes }),
        { signingDate, expiresIn: expiresInSeconds, signableHeaders: headers, unhoistableHeaders: headers },
      );
    const at = new Date();
    const [one, other] = await Promise.all([ours(pathOf(0), at), sdks(pathOf(0), at)]);
    if (signatureOf(one) !== signatureOf(other)) throw new Error("The two signatures differ.");

    // CPU time: that of other processes does not count.
    const microsOf = (sign: typeof ours) => async () => {
      const before = process.cpuUsage();
      for (let i = 0; i < URLS; i++) await sign(pathOf(i), new Date());
      const { user, system } = process.cpuUsage(before);
      return (user + system) / URLS;
    };
    const micros = await takeTurns(
      {
        ours: microsOf(ours),
        sdks: microsOf(sdks),
        "the headers of AES256": microsOf(signerWith({ encryption: { algorithm: "AES256" } })),
        "the headers of aws:kms": microsOf(signerWith({ encryption: { algorithm: "aws:kms", keyId } })),
        "a session token of 1,100 characters": microsOf(signerWith({ credentials })),
        only: microsOf(only),
        second: microsOf(second),
      },
      { rounds: ROUNDS, warmUps: 4 },
    );
    const details = `${summarise(micros.ours).median.toFixed(1)} µs against ${summarise(micros.sdks).median.toFixed(0)} µs each`;
    say(details);
    return [
      {
        measured: "signing one PUT URL, times as fast",
        against: "the SDK's `getSignedUrl`, same signature",
        ratio: summarise(ratios(micros.sdks, micros.ours)),
        target: { atLeast: 20 },
        details,
      },
      ...MORE.map((name) => ({
        measured: `signing one PUT URL with ${name}`,
        against: "without",
        ratio: summarise(ratios(micros[name], micros.ours)),
        target: { atMost: 1.05 },
        details: `${summarise(micros[name]).median.toFixed(1)} µs each`,
      })),
      {
        measured: `signing one PUT URL for ${PROJECTS} projects of a second storage`,
        against: "the same without `STORAGES_FILE`",
        ratio: summarise(ratios(micros.second, micros.only)),
        target: { atMost: 1.05 },
        details: `${summarise(micros.second).median.toFixed(1)} µs against ${summarise(micros.only).median.toFixed(1)} µs each`,
      },
    ];
  },
};

const PROJECTS = 100;

/**
 * Signs as the service does: it finds the storage of a project, and signs by its keys.
 *
 * @returns `only`: the storage of an installation without STORAGES_FILE. `second`: the second of two storages
 */
async function signersOfStorages(tools: RowTools) {
  const { atEnd } = tools;
  const url = await startDatabase(tools);
  await migrateDatabase(url);
  const sql = connect(url);
  const created = await sql<{ id: string }[]>`
    insert into projects (ref, name, api_key_hash, api_key_start, api_key_last4, max_file_bytes, created_at, key_created_at, storage)
    select n, 'Bench', n, '', '', 1, now(), now(), 'other' from generate_series(1, ${PROJECTS}::int) n returning id`;
  const ids = created.map(({ id }) => Number(id));
  await sql.end();
  const db = composeDatabase(readDatabaseConfig({ DATABASE_URL: url }));
  atEnd(() => db.close());
  const dir = await mkdtemp(join(tmpdir(), "stowage-bench-"));
  atEnd(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, "storages.json");
  const member = { endpoint: where.endpoint, region: where.region, addressing: "path" };
  await writeFile(
    file,
    JSON.stringify({ default: "main", main: { ...member, bucket }, other: { ...member, bucket: "other" } }),
  );
  const signerOf = (settings: Record<string, string>) => {
    const config = readStorageConfig({
      S3_ACCESS_KEY_ID: where.credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: where.credentials.secretAccessKey,
      ...settings,
    });
    const { storages, closeStorages } = composeStorages(config, db);
    atEnd(async () => closeStorages());
    let next = 0;
    return async (path: string, signedAt: Date) => {
      const { store } = await storages.of(ids[next++ % PROJECTS]!);
      return store.presignPut({ path, ...put, signedAt, expiresInSeconds });
    };
  };
  const only = { S3_ENDPOINT: where.endpoint, S3_BUCKET: bucket, S3_ADDRESSING: "path" };
  return { only: signerOf(only), second: signerOf({ STORAGES_FILE: file }) };
}

const pathOf = (n: number) =>
  `projects/8fQ2bLw0Zk3xV7cR1mN5tA/tenants/3hY6dPq9Ls2uJ4wE8gK0vB/7rT1nXz5Ca9iF3oM6yH2kD_photo ${n}.jpg`;

const signatureOf = (url: string) => new URL(url).searchParams.get("X-Amz-Signature");
