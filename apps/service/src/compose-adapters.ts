import { randomBytes, randomUUID } from "node:crypto";
import type { FastifyBaseLogger } from "fastify";
import { readInstallationSecret } from "./auth/installation-secret.js";
import type { OidcSettings } from "./auth/oidc.js";
import type { SignInOffer } from "./auth/sign-in-methods.js";
import type { Cdn } from "./cdn/cdn.js";
import { createPrivateDelivery, type PrivateDelivery } from "./cdn/private-delivery.js";
import { bunnyUrlSigner, cloudFrontUrlSigner } from "./cdn/url-signer.js";
import type { Config, DatabaseConfig, StorageConfig } from "./config.js";
import { type Database, openDatabase, type OpenDatabaseOptions } from "./db/client.js";
import { lazy } from "./lib/lazy.js";
import type { SharedCounters } from "./lib/shared-counters.js";
import { lazyStore } from "./object-store/lazy-store.js";
import type { Bucket, ObjectStore } from "./object-store/object-store.js";
import { createPresigner, encodePath } from "./object-store/presign.js";
import { createSecretBox, type SecretBox } from "./webhooks/secret-box.js";

/*
 * The database, the object store, the shared counters and the box of secrets as the settings describe them. Only compose.ts and
 * compose-cli.ts use this file.
 */

/** @param options see {@link openDatabase} */
export function composeDatabase(
  config: DatabaseConfig,
  options: Pick<OpenDatabaseOptions, "onPreparedLost" | "observe"> = {},
): Database {
  return openDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    timeoutMs: config.DATABASE_TIMEOUT_MS,
    prepared: config.DATABASE_PREPARED,
    ...options,
  });
}

/** The buckets that the settings name. */
export interface Buckets {
  private: Bucket;
  /** Null: files cannot be public. */
  public: Bucket | null;
  /** Loads the AWS SDK, which the first call to storage does too. */
  load(): Promise<unknown>;
}

/** Creates the clients of the buckets. They sign URLs without the AWS SDK. */
export function composeBuckets(config: StorageConfig): Buckets {
  const main = composeBucket(config, config.S3_BUCKET);
  const { S3_PUBLIC_BUCKET: publicName } = config;
  const published = publicName === undefined ? null : composeBucket(config, publicName);
  return {
    private: main.bucket,
    public: published && published.bucket,
    load: () => Promise.all([main.load(), published?.load()]),
  };
}

function composeBucket(config: StorageConfig, bucket: string) {
  const options = {
    endpoint: config.S3_ENDPOINT,
    region: config.S3_REGION,
    bucket,
    credentials: { accessKeyId: config.S3_ACCESS_KEY_ID, secretAccessKey: config.S3_SECRET_ACCESS_KEY },
  };
  const load = lazy(async () => {
    const { createS3Client } = await import("./object-store/s3.js");
    return createS3Client({ ...options, timeoutMs: config.S3_TIMEOUT_MS });
  });
  const presigner = createPresigner({ ...options, endpoint: publicEndpointOf(config) });
  return { bucket: lazyStore(presigner, load), load };
}

/**
 * Joins the buckets to the object store.
 *
 * @param watch wraps the client of a bucket. @default none
 * @param cdns are purged of each object that is removed from their bucket
 */
export function composeStore(
  config: StorageConfig,
  buckets: Buckets = composeBuckets(config),
  watch: (bucket: Bucket, name: string) => Bucket = (bucket) => bucket,
  cdns: Cdns = composeCdns(config),
): ObjectStore {
  const { S3_BUCKET: name, S3_PUBLIC_BUCKET: publicName } = config;
  const store = deliverByCdn(config, watch(buckets.private, name), cdns.private);
  if (buckets.public === null || publicName === undefined) return { ...store, published: null };
  const published = watch(buckets.public, publicName);
  const baseUrl = config.PUBLIC_BASE_URL ?? `${publicEndpointOf(config).replace(/\/+$/, "")}/${publicName}`;
  const urlOf = (path: string) => `${baseUrl}/${encodePath(path)}`;
  return {
    ...store,
    published: {
      ...published,
      urlOf,
      // In this order: otherwise the CDN could fetch the object once more.
      remove: async (path) => {
        await published.remove(path);
        await cdns.public?.purge(urlOf(path));
      },
      publish: (source, headers) => published.copyFrom(name, source, headers),
      takeBack: (source, headers) => store.copyFrom(publicName, source, headers),
    },
    close: () => {
      store.close();
      published.close();
      cdns.public?.close();
    },
  };
}

/** With PRIVATE_BASE_URL, downloads of the private bucket are signed for the CDN, which forgets what is removed from the bucket. */
function deliverByCdn(config: StorageConfig, bucket: Bucket, cdn: Cdn | null): Bucket {
  const delivery = composeDelivery(config);
  if (!delivery) return bucket;
  return {
    ...bucket,
    presignGet: delivery.presignGet,
    // In this order: otherwise the CDN could fetch the object once more.
    remove: async (path) => {
      await bucket.remove(path);
      await cdn?.purge(delivery.patternOf(path));
    },
    close: () => {
      bucket.close();
      cdn?.close();
    },
  };
}

/** The CDN in front of the private bucket. Null: there is none. */
export function composeDelivery(config: StorageConfig): PrivateDelivery | null {
  const { PRIVATE_BASE_URL: baseUrl } = config;
  if (baseUrl === undefined) return null;
  const sign =
    config.CDN === "bunny"
      ? bunnyUrlSigner(config.CDN_BUNNY_TOKEN_KEY ?? "")
      : cloudFrontUrlSigner({
          keyPairId: config.CDN_CLOUDFRONT_KEY_PAIR_ID ?? "",
          privateKey: config.CDN_CLOUDFRONT_PRIVATE_KEY ?? "",
        });
  return createPrivateDelivery(baseUrl, sign);
}

/** The origins from which browsers load files and to which they upload. */
export function storageOriginsOf(config: StorageConfig): string[] {
  const urls = [publicEndpointOf(config), config.PRIVATE_BASE_URL].filter((url) => url !== undefined);
  return [...new Set(urls.map((url) => new URL(url).origin))];
}

const CDN_TIMEOUT_MS = 5000;

/** The CDNs in front of the buckets. Null: there is none. */
export interface Cdns {
  public: Cdn | null;
  private: Cdn | null;
}

function composeCdns(config: StorageConfig): Cdns {
  const { PUBLIC_BASE_URL: publicUrl, PRIVATE_BASE_URL: privateUrl } = config;
  const hasCdn = config.CDN !== undefined;
  return {
    public:
      hasCdn && publicUrl !== undefined ? composeCdn(config, config.CDN_CLOUDFRONT_DISTRIBUTION_ID) : null,
    private:
      hasCdn && privateUrl !== undefined
        ? composeCdn(config, config.CDN_CLOUDFRONT_PRIVATE_DISTRIBUTION_ID)
        : null,
  };
}

/** Its code is loaded with the first purge. */
function composeCdn(config: StorageConfig, distributionId: string | undefined): Cdn {
  let loaded: Cdn | undefined;
  const load = lazy(async () => (loaded = await createCdn(config, distributionId ?? "")));
  return { purge: async (url) => (await load()).purge(url), close: () => loaded?.close() };
}

async function createCdn(config: StorageConfig, distributionId: string): Promise<Cdn> {
  if (config.CDN === "bunny") {
    const { createBunnyCdn } = await import("./cdn/bunny.js");
    return createBunnyCdn({ apiKey: config.CDN_BUNNY_API_KEY ?? "", timeoutMs: CDN_TIMEOUT_MS });
  }
  const { createCloudFrontCdn } = await import("./cdn/cloudfront.js");
  return createCloudFrontCdn({
    distributionId,
    credentials: {
      accessKeyId: config.CDN_CLOUDFRONT_ACCESS_KEY_ID ?? config.S3_ACCESS_KEY_ID,
      secretAccessKey: config.CDN_CLOUDFRONT_SECRET_ACCESS_KEY ?? config.S3_SECRET_ACCESS_KEY,
    },
    randomId: randomUUID,
    timeoutMs: CDN_TIMEOUT_MS,
  });
}

/** Starts to connect to the store of the rate limits, and does not wait for it. Null: there is none. */
export async function composeCounters(
  { RATE_LIMIT_STORE: url }: Pick<Config, "RATE_LIMIT_STORE">,
  log: FastifyBaseLogger,
): Promise<SharedCounters | null> {
  if (url === undefined) return null;
  const { createRedisCounters } = await import("./lib/redis-counters.js");
  return createRedisCounters({
    url,
    onDown: (err) => log.warn({ err }, "RATE_LIMIT_STORE does not answer; this replica counts alone"),
    onUp: () => log.info("RATE_LIMIT_STORE answers; the replicas count together"),
  });
}

/** The OpenID Connect provider as the settings describe it. Null: there is none. */
export function composeOidc(config: Config): OidcSettings | null {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId = "",
    OIDC_CLIENT_SECRET: clientSecret = "",
  } = config;
  if (issuer === undefined) return null;
  return {
    issuer,
    clientId,
    clientSecret,
    scopes: config.OIDC_SCOPES,
    secondFactor: config.OIDC_SECOND_FACTOR,
    verifiedEmail: config.OIDC_VERIFIED_EMAIL,
    sessionHours: config.OIDC_SESSION_HOURS,
  };
}

/** How the pages offer to sign in. */
export function composeSignInOffer(config: Config): SignInOffer {
  const { OIDC_ISSUER: issuer, OIDC_NAME: name } = config;
  const oidcName = issuer === undefined ? null : (name ?? new URL(issuer).host);
  return { oidcName, isPasswordOff: !config.PASSWORD_SIGN_IN };
}

/** The S3 endpoint as browsers reach it. */
export function publicEndpointOf(config: StorageConfig): string {
  return config.S3_PUBLIC_ENDPOINT ?? config.S3_ENDPOINT;
}

/** Encrypts the secrets of webhooks with SIGN_IN_SECRET, or else with the installation's own secret, as the sign-in does. */
export function composeSecretBox(
  { SIGN_IN_SECRET: setting }: { SIGN_IN_SECRET?: string | undefined },
  db: Database,
): SecretBox {
  const readKeys = async () => [
    ...(setting === undefined ? [] : [setting]),
    await readInstallationSecret({ db, randomBytes }),
  ];
  return createSecretBox(readKeys, randomBytes);
}
