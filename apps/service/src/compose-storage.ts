import { randomUUID } from "node:crypto";
import type { FastifyBaseLogger } from "fastify";
import { behindCdn, lazyCdn } from "./cdn/behind-cdn.js";
import type { Cdn } from "./cdn/cdn.js";
import { createPrivateDelivery, type PrivateDelivery } from "./cdn/private-delivery.js";
import { bunnyUrlSigner, cloudFrontUrlSigner } from "./cdn/url-signer.js";
import { publicBaseUrlOf, publicEndpointOf, type StorageConfig } from "./settings/storage-config.js";
import { lazy } from "./lib/lazy.js";
import {
  type Addressing,
  createAddressFinder,
  type Endpoint,
  type FoundAddressing,
  toFinder,
} from "./object-store/addressing.js";
import type { CredentialsProvider } from "./object-store/credentials.js";
import { joinBuckets } from "./object-store/join-buckets.js";
import { keepRenewed, type RenewalOptions } from "./object-store/keep-renewed.js";
import { lazyStore } from "./object-store/lazy-store.js";
import { createObjectClient } from "./object-store/object-client.js";
import type { Bucket, ObjectStore } from "./object-store/object-store.js";
import { createPresigner, encodePath, type PresignerOptions } from "./object-store/presign.js";
import type { S3Options } from "./object-store/s3.js";

/*
 * One storage as its settings describe it: its buckets, where they stand in addresses, and the CDNs in front of them.
 */

/** What the log says when temporary keys cannot be renewed. */
const KEYS_NOT_RENEWED =
  "renewing the credentials of storage failed; those that are held are used until they end";

/** The buckets of one storage. */
export interface Buckets {
  private: Bucket;
  /** Null: files cannot be public. */
  public: Bucket | null;
  /** The keys that sign for both. */
  credentials: CredentialsProvider;
  addresses: Addresses;
  /** How the service connects to them. */
  options: { private: () => Promise<S3Options>; public: (() => Promise<S3Options>) | null };
  /** Loads the AWS SDK and temporary keys, which the first call to storage does too. */
  load(): Promise<unknown>;
}

/** What happens to the buckets while the process runs. */
export interface BucketEvents {
  /** See {@link RenewalOptions}. */
  onKeysFailed?: RenewalOptions["onFailed"];
  /** Gets what `S3_ADDRESSING=auto` finds. */
  onAddressing?(found: FoundAddressing, setting: Endpoint["setting"]): void;
}

/** Creates the clients of the buckets. They sign URLs without the AWS SDK. */
export function composeBuckets(config: StorageConfig, events: BucketEvents = {}): Buckets {
  const signing: Signing = {
    region: config.S3_REGION,
    credentials: composeCredentials(config, events.onKeysFailed ?? (() => undefined)),
    encryption: config.S3_ENCRYPTION,
    maxParts: config.S3_MAX_PARTS,
  };
  const { credentials } = signing;
  const addresses = composeAddresses(config, signing, events);
  const main = composeBucket(config, config.S3_BUCKET, signing, addresses);
  const { S3_PUBLIC_BUCKET: publicName } = config;
  const published = publicName === undefined ? null : composeBucket(config, publicName, signing, addresses);
  return {
    addresses,
    private: main.bucket,
    public: published && published.bucket,
    options: { private: main.options, public: published && published.options },
    credentials,
    // Without keys the service starts, and is not ready.
    load: () => Promise.all([main.load(), published?.load(), credentials().catch(() => undefined)]),
  };
}

function composeCredentials(
  config: StorageConfig,
  onFailed: RenewalOptions["onFailed"],
): CredentialsProvider {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    const keys = { accessKeyId, secretAccessKey };
    return async () => keys;
  }
  const load = async () => {
    const { loadFromDefaultChain } = await import("./object-store/default-chain.js");
    return loadFromDefaultChain(config.S3_TIMEOUT_MS);
  };
  return keepRenewed(load, { waitMs: config.S3_TIMEOUT_MS, onFailed });
}

/** How the buckets stand in the addresses of the two endpoints, which may be one. */
export interface Addresses {
  own: Endpoint;
  /** That of browsers. */
  browsers: Endpoint;
}

type Signing = Pick<PresignerOptions, "region" | "encryption" | "maxParts"> & {
  credentials: CredentialsProvider;
};

/** Writes to the log what happens to the buckets. @param name of the storage; null for the only one */
export function logBucketEvents(
  log: Pick<FastifyBaseLogger, "info" | "warn">,
  name: string | null,
): BucketEvents {
  const storage = name === null ? {} : { storage: name };
  return {
    onKeysFailed: (err, held) => log.warn({ err, ...held, ...storage }, KEYS_NOT_RENEWED),
    onAddressing: logAddressing(log, name),
  };
}

/** Says in the log what `S3_ADDRESSING=auto` found. @param name of the storage. @default null, for the only one */
export function logAddressing(
  log: Pick<FastifyBaseLogger, "info" | "warn">,
  name: string | null = null,
): Required<BucketEvents>["onAddressing"] {
  return ({ addressing, because, isSure }, setting) => {
    const place = addressing === "path" ? "path" : "host";
    const subject = name === null ? "The bucket" : `The bucket of the storage ${name}`;
    const line = `${subject} is in the ${place} of ${setting}, because ${because}`;
    if (isSure) log.info(line);
    else log.warn(line);
  };
}

const ASKED_OBJECT = "stowage-doctor/addressing";
const MAX_ASK_MS = 5000;

function composeAddresses(
  config: StorageConfig,
  signing: Signing,
  { onAddressing }: BucketEvents,
): Addresses {
  const { S3_BUCKET: bucket, S3_ADDRESSING: wanted } = config;
  const compose = (setting: Endpoint["setting"], endpoint: string): Endpoint => {
    const ask = async (addressing: Addressing) => {
      const timeoutMs = Math.min(config.S3_TIMEOUT_MS, MAX_ASK_MS);
      const client = createObjectClient({ ...signing, bucket, endpoint, addressing, timeoutMs });
      return client.ask(ASKED_OBJECT).finally(client.close);
    };
    const onFound = (found: FoundAddressing) => onAddressing?.(found, setting);
    const finder =
      wanted === "auto" ? createAddressFinder({ endpoint, bucket }, ask, onFound) : toFinder(wanted);
    return { setting, endpoint, bucket, ask, ...finder };
  };
  const own = compose("S3_ENDPOINT", config.S3_ENDPOINT);
  const publicEndpoint = publicEndpointOf(config);
  const isOne = publicEndpoint === config.S3_ENDPOINT;
  return { own, browsers: isOne ? own : compose("S3_PUBLIC_ENDPOINT", publicEndpoint) };
}

function composeBucket(config: StorageConfig, bucket: string, common: Signing, { own, browsers }: Addresses) {
  const signing = { ...common, bucket };
  const optionsFor = (addressing: Addressing): S3Options => {
    const { endpoint } = own;
    return { ...signing, endpoint, addressing, timeoutMs: config.S3_TIMEOUT_MS };
  };
  const loadFor = (addressing: Addressing) =>
    lazy(async () => {
      const { createS3Client } = await import("./object-store/s3.js");
      return createS3Client(optionsFor(addressing));
    });
  const clients = { path: loadFor("path"), virtual: loadFor("virtual") };
  const load = async () => clients[await own.now()]();
  const presigner = createPresigner({ ...signing, endpoint: browsers.endpoint, addressing: browsers });
  return { bucket: lazyStore(presigner, load), load, options: async () => optionsFor(await own.now()) };
}

/**
 * Joins the buckets to the object store. With PRIVATE_BASE_URL, downloads of the private bucket are signed for the CDN.
 *
 * @param watch wraps the client of a bucket. @default none
 * @param cdns are purged of each object that is removed from their bucket
 */
export function composeStore(
  config: StorageConfig,
  buckets: Buckets = composeBuckets(config),
  watch: (bucket: Bucket, name: string) => Bucket = (bucket) => bucket,
  cdns: Cdns = composeCdns(config, buckets.credentials),
): ObjectStore {
  const { S3_BUCKET: name, S3_PUBLIC_BUCKET: publicName } = config;
  const delivery = composeDelivery(config);
  const stored = watch(buckets.private, name);
  const delivered = delivery && {
    ...behindCdn(stored, cdns.private, delivery.patternOf),
    presignGet: delivery.presignGet,
    // The CDN has keys of its own.
    downloadUrlsEnd: async () => null,
  };
  const own = { bucket: delivered ?? stored, name };
  if (buckets.public === null || publicName === undefined) return joinBuckets(own, null);
  const baseUrls = { path: publicBaseUrlOf(config, "path"), virtual: publicBaseUrlOf(config, "virtual") };
  const urlOf = (path: string) => `${baseUrls[buckets.addresses.browsers.current()]}/${encodePath(path)}`;
  const published = behindCdn(watch(buckets.public, publicName), cdns.public, urlOf);
  return joinBuckets(own, { bucket: published, name: publicName, urlOf });
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

const CDN_TIMEOUT_MS = 5000;

/** The CDNs in front of the buckets. Null: there is none. */
export interface Cdns {
  public: Cdn | null;
  private: Cdn | null;
}

function composeCdns(config: StorageConfig, credentials: CredentialsProvider): Cdns {
  const cdnAt = (baseUrl: string | undefined, distributionId = "") =>
    config.CDN === undefined || baseUrl === undefined
      ? null
      : lazyCdn(() => createCdn(config, distributionId, credentials));
  return {
    public: cdnAt(config.PUBLIC_BASE_URL, config.CDN_CLOUDFRONT_DISTRIBUTION_ID),
    private: cdnAt(config.PRIVATE_BASE_URL, config.CDN_CLOUDFRONT_PRIVATE_DISTRIBUTION_ID),
  };
}

async function createCdn(
  config: StorageConfig,
  distributionId: string,
  credentials: CredentialsProvider,
): Promise<Cdn> {
  if (config.CDN === "bunny") {
    const { createBunnyCdn } = await import("./cdn/bunny.js");
    return createBunnyCdn({ apiKey: config.CDN_BUNNY_API_KEY ?? "", timeoutMs: CDN_TIMEOUT_MS });
  }
  const { createCloudFrontCdn } = await import("./cdn/cloudfront.js");
  const { CDN_CLOUDFRONT_ACCESS_KEY_ID: accessKeyId, CDN_CLOUDFRONT_SECRET_ACCESS_KEY: secretAccessKey } =
    config;
  const hasOwn = accessKeyId !== undefined && secretAccessKey !== undefined;
  return createCloudFrontCdn({
    distributionId,
    credentials: hasOwn ? { accessKeyId, secretAccessKey } : credentials,
    randomId: randomUUID,
    timeoutMs: CDN_TIMEOUT_MS,
  });
}
