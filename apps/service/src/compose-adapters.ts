import { randomBytes } from "node:crypto";
import type { FastifyBaseLogger } from "fastify";
import { readInstallationSecret } from "./auth/installation-secret.js";
import type { OidcSettings } from "./auth/oidc.js";
import type { SignInOffer } from "./auth/sign-in-methods.js";
import { composeBuckets, composeStore, logBucketEvents } from "./compose-storage.js";
import { ConfigError } from "./settings/parse-settings.js";
import {
  type HasStorages,
  type StorageConfig,
  storageOriginsOf,
  storagesOf,
} from "./settings/storage-config.js";
import { type Config, type DatabaseConfig, passwordSourceOf } from "./config.js";
import { type Database, openDatabase, type OpenDatabaseOptions } from "./db/client.js";
import { openPasswordSource } from "./db/driver/password-source.js";
import type { SharedCounters } from "./lib/shared-counters.js";
import type { Bucket, StorageAddress } from "./object-store/object-store.js";
import type { S3Options } from "./object-store/s3.js";
import type { Transfer } from "./object-store/transfer.js";
import type { MoveTimes } from "./projects/moving-projects.js";
import {
  createStorages,
  findMissingStorage,
  namesOfStorages,
  type Storage,
  type Storages,
} from "./projects/storages.js";
import type { ServiceLimits } from "./tenants/tenant-record.js";
import { createSecretBox, type SecretBox } from "./webhooks/secret-box.js";

/*
 * The database, all storages, the shared counters and the box of secrets as the settings describe them. Only compose.ts and
 * compose-cli.ts use this file. It chooses adapters and passes settings to them.
 */

/** @param options see {@link openDatabase} */
export function composeDatabase(
  config: DatabaseConfig,
  options: Pick<OpenDatabaseOptions, "onPreparedLost" | "onRefused" | "observe"> = {},
): Database {
  const password = passwordSourceOf(config);
  const opening = { url: config.DATABASE_URL, timeoutMs: config.DATABASE_TIMEOUT_MS };
  return openDatabase({
    ...opening,
    readPassword: password && openPasswordSource(password, opening),
    poolSize: config.DATABASE_POOL_SIZE,
    prepared: config.DATABASE_PREPARED,
    ...options,
  });
}

/** The limits of tenants that nothing else limits. */
export function serviceLimits(config: DatabaseConfig): ServiceLimits {
  const {
    DEFAULT_MAX_FILES: maxFiles,
    DEFAULT_MAX_OPEN_UPLOADS: maxOpenUploads,
    DEFAULT_UPLOADS_PER_MINUTE: uploadsPerMinute,
  } = config;
  return {
    defaultQuotaBytes: config.DEFAULT_QUOTA_BYTES ?? null,
    defaultLimits: {
      ...(maxFiles !== undefined && { maxFiles }),
      ...(maxOpenUploads !== undefined && { maxOpenUploads }),
      ...(uploadsPerMinute !== undefined && { uploadsPerMinute }),
    },
  };
}

/** All storages of the installation, and what only their owner does with them. */
export interface ComposedStorages {
  storages: Storages;
  /** Their private buckets, which no call to them is reported of, by the names of the storages. */
  storageBuckets: { name: string | null; bucket: Bucket }[];
  /** The origins from which browsers load files and to which they upload, as known now. */
  storageOrigins(): string[];
  /** The storages themselves. Their calls go nowhere else while a project moves. */
  ownStorages: Storage[];
  /** Opens the copying of objects from a bucket of a storage to the same bucket of another one. */
  /** @param onRefused is called if storage does not copy inside, with the reason */
  openTransfer(
    from: string,
    to: string,
    place: "private" | "public",
    onRefused: (reason: string) => void,
  ): Promise<Transfer>;
  /** How to connect to a bucket of a storage. @param name of the storage; null: the only one */
  optionsOf(name: string | null, place: "private" | "public"): Promise<S3Options>;
  /** Waits until it is known how the buckets stand in their addresses, or a storage gave no answer in time. */
  findAddresses(): Promise<void>;
  /** Loads the AWS SDK, which the first call to storage does too. */
  loadStorages(): Promise<unknown>;
  /** @throws {ConfigError} if a project uses a storage that the settings do not have; {@link StowageError} `unavailable` */
  requireUsedStorages(): Promise<void>;
  closeStorages(): void;
}

/**
 * Creates the clients of all storages.
 *
 * @param options.watch wraps the client of a bucket of a storage. @default none
 * @param options.log gets what happens to the buckets. @default none
 * @param options.moveTimes @default those of production
 */
export function composeStorages(
  config: StorageConfig & HasStorages,
  db: Database,
  {
    watch = (bucket) => bucket,
    log,
    moveTimes,
  }: {
    watch?: (bucket: Bucket, name: string, storage: string | null) => Bucket;
    log?: Pick<FastifyBaseLogger, "info" | "warn">;
    moveTimes?: MoveTimes | undefined;
  } = {},
): ComposedStorages {
  const composed = storagesOf(config).map(({ name, config }) => {
    const buckets = composeBuckets(config, log && logBucketEvents(log, name));
    const store = composeStore(config, buckets, (bucket, bucketName) => watch(bucket, bucketName, name));
    return { name, config, buckets, store, address: addressOf(config) };
  });
  const ownStorages = composed.map(({ name, store, address }) => ({ name, store, address }));
  const storages = createStorages(db, ownStorages, moveTimes);
  const optionsOf = async (wanted: string | null, place: "private" | "public") => {
    const options = composed.find(({ name }) => name === wanted)?.buckets.options[place];
    if (!options) throw new Error(`the storage ${wanted} has no ${place} bucket`);
    return options();
  };
  return {
    storages,
    requireUsedStorages: async () => {
      const names = namesOfStorages(storages);
      const missing = await findMissingStorage(db, names);
      if (missing === null) return;
      const place = names.length === 0 ? "STORAGES_FILE is not set" : "STORAGES_FILE does not have it";
      throw new ConfigError(`A project uses the storage ${missing}, and ${place}.`);
    },
    ownStorages,
    optionsOf,
    openTransfer: async (from, to, place, onRefused) => {
      const { createTransfer } = await import("./object-store/transfer.js");
      return createTransfer(await optionsOf(from, place), await optionsOf(to, place), onRefused);
    },
    storageBuckets: composed.map(({ name, buckets }) => ({ name, bucket: buckets.private })),
    storageOrigins: () => [
      ...new Set(
        composed.flatMap(({ config, buckets }) =>
          storageOriginsOf(config, buckets.addresses.browsers.current()),
        ),
      ),
    ],
    findAddresses: async () => {
      const endpoints = composed.flatMap(({ buckets: { addresses } }) => [addresses.own, addresses.browsers]);
      await Promise.all(endpoints.map((endpoint) => endpoint.now()));
    },
    loadStorages: () => Promise.all(composed.map(({ buckets }) => buckets.load())),
    closeStorages: () => composed.forEach(({ store }) => store.close()),
  };
}

function addressOf(config: StorageConfig): StorageAddress {
  return {
    endpoint: config.S3_ENDPOINT,
    bucket: config.S3_BUCKET,
    publicBucket: config.S3_PUBLIC_BUCKET ?? null,
  };
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
