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

/** A store with its own folder. Both are removed at the end of the test. */
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

/** The official client. It does not add checksums. */
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

/** Makes a client add and sign these inputs. */
export function addInputs(
  client: S3Client,
  { query = {}, headers = {} }: { query?: Record<string, string>; headers?: Record<string, string> },
): void {
  client.middlewareStack.add(
    (next) => (args) => {
      const request = args.request as { query: object; headers: object };
      Object.assign(request.query, query);
      Object.assign(request.headers, headers);
      return next(args);
    },
    { step: "build", name: "addInputs", priority: "low" },
  );
}

/** The official client with its default settings. */
export function aDefaultClient(endpoint: string): S3Client {
  return new S3Client({ endpoint, region: "us-east-1", credentials: CREDENTIALS, forcePathStyle: true });
}

export const aKey = (): string => `${randomBytes(6).toString("hex")}.txt`;

/** Presigns a URL with these signed headers. All other values of the command go to the query. */
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
  // The presigner accepts every command; only its types are narrower.
  return getSignedUrl(client, command as GetObjectCommand, {
    expiresIn,
    ...(signingDate ? { signingDate } : {}),
    signableHeaders: new Set(["host", ...names]),
    unhoistableHeaders: names,
  });
}

/** Counts the incoming files. */
export async function incomingCount(dir: string): Promise<number> {
  return (await readdir(join(dir, "incoming"))).length;
}

/** Returns the S3 error code of a refused call. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    const { Code, name } = error as { Code?: string; name: string };
    return Code ?? name;
  }
  throw new Error("The call was not refused.");
}
