import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GetObjectCommand, S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { onTestFinished } from "vitest";
import { type DevStore, type DevStoreOptions, startDevStore } from "../src/index.js";

export const CREDENTIALS = { accessKeyId: "DEVKEY", secretAccessKey: "a secret of the tests" };
export const BUCKET = "bucket-of-tests";

export interface TestStore extends DevStore {
  dir: string;
  client: S3Client;
  errors: unknown[];
}

/** A store on a folder of its own, gone with the test. */
export async function aStore(options: Partial<DevStoreOptions> = {}): Promise<TestStore> {
  const dir = options.dir ?? (await aFolder());
  const errors: unknown[] = [];
  const store = await startDevStore({
    dir,
    ...CREDENTIALS,
    buckets: [BUCKET],
    onError: (error) => errors.push(error),
    ...options,
  });
  onTestFinished(() => store.stop());
  return { ...store, dir, errors, client: aClient(store.endpoint) };
}

export async function aFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "dev-store-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** The official client, told to add no checksum of its own unless a test asks for its defaults. */
export function aClient(endpoint: string, config: Partial<S3ClientConfig> = {}): S3Client {
  return new S3Client({
    endpoint,
    region: "us-east-1",
    credentials: CREDENTIALS,
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 1,
    ...config,
  });
}

/** The official client with nothing set that need not be. */
export function aDefaultClient(endpoint: string): S3Client {
  return new S3Client({ endpoint, region: "us-east-1", credentials: CREDENTIALS, forcePathStyle: true });
}

export const aKey = (): string => `${randomBytes(6).toString("hex")}.txt`;

/** A URL with these headers signed; everything else the command sets is hoisted into the query. */
export function presign(
  client: S3Client,
  command: { input: object },
  {
    sign = [],
    expiresIn = 300,
    signingDate,
  }: { sign?: string[]; expiresIn?: number; signingDate?: Date } = {},
): Promise<string> {
  const names = new Set(sign);
  // The presigner takes every command of the client; only its types want to know which.
  return getSignedUrl(client, command as GetObjectCommand, {
    expiresIn,
    ...(signingDate ? { signingDate } : {}),
    signableHeaders: new Set(["host", ...names]),
    unhoistableHeaders: names,
  });
}

/** How many files are half-way in. */
export async function incomingCount(dir: string): Promise<number> {
  return (await readdir(join(dir, "incoming"))).length;
}

/** The S3 error code a call was refused with. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    const { Code, name } = error as { Code?: string; name: string };
    return Code ?? name;
  }
  throw new Error("The call was not refused.");
}
