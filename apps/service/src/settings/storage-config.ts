import * as z from "zod";
import { type Addressing, canBeVirtual, placeOf } from "#object-store/addressing.js";
import { findProvider, serverOf } from "#object-store/providers.js";
import {
  ConfigError,
  type Environment,
  type NameOfSetting,
  nameSetting,
  parseSettings,
} from "./parse-settings.js";
import { parsersOf } from "./setting.js";
import { publicFiles, storage } from "./storage.js";
import { memberOfSetting, readStoragesFile, type StorageEntry, StoragesFileError } from "./storages-file.js";

export const storageSettings = z.object({ ...parsersOf(storage), ...parsersOf(publicFiles) });
/** The settings of one storage. */
export type StorageConfig = z.infer<typeof storageSettings>;

/** A storage by its name in STORAGES_FILE. Null: S3_BUCKET, the only one of an installation without the file. */
export interface NamedStorage {
  name: string | null;
  config: StorageConfig;
}

export interface HasStorages {
  /** The storages of STORAGES_FILE, the default first: its settings stand in place of S3_*. Undefined without the file. */
  storages?: NamedStorage[];
}

/**
 * The storages of the installation, the default first.
 *
 * @param only the name of the one that is wanted. @default all
 * @throws {ConfigError} if there is none of this name
 */
export function storagesOf(config: StorageConfig & HasStorages, only?: string): NamedStorage[] {
  const all = config.storages ?? [{ name: null, config }];
  const wanted = only === undefined ? all : all.filter(({ name }) => name === only);
  if (wanted.length === 0) throw new ConfigError("STORAGES_FILE has no storage of this name.");
  return wanted;
}

/** The S3 endpoint as browsers reach it. */
export function publicEndpointOf(config: StorageConfig): string {
  return config.S3_PUBLIC_ENDPOINT ?? config.S3_ENDPOINT;
}

/** Where everyone reads the objects of the public bucket: its URL, without a slash at the end. */
export function publicBaseUrlOf(config: StorageConfig, addressing: Addressing): string {
  if (config.PUBLIC_BASE_URL !== undefined) return config.PUBLIC_BASE_URL;
  const { origin, path } = placeOf(publicEndpointOf(config), config.S3_PUBLIC_BUCKET ?? "", addressing);
  return `${origin}${path}`.replace(/\/$/, "");
}

/** The origins from which browsers load files of one storage and to which they upload. */
export function storageOriginsOf(config: StorageConfig, addressing: Addressing): string[] {
  const buckets = [config.S3_BUCKET, config.S3_PUBLIC_BUCKET].filter((bucket) => bucket !== undefined);
  const places = buckets.map((bucket) => placeOf(publicEndpointOf(config), bucket, addressing).origin);
  const { PRIVATE_BASE_URL: cdn } = config;
  return [...new Set([...places, ...(cdn === undefined ? [] : [new URL(cdn).origin])])];
}

/** The names of the storages of STORAGES_FILE, the default first. None without the file. @throws {ConfigError} */
export function readStorageNames({ STORAGES_FILE: path }: Environment): string[] {
  return path ? entriesOf(path).map(({ name }) => name) : [];
}

/** Reads settings with those of storage. With STORAGES_FILE, the members of the default storage stand in place of S3_*. */
export function readWithStorages<Settings extends StorageConfig>(
  env: Environment,
  readSettings: (env: Environment, nameOf: NameOfSetting) => Settings,
): Settings & HasStorages {
  const { STORAGES_FILE: path } = env;
  if (!path) return requireTogether(readSettings(env, nameSetting));
  const [main, ...others] = entriesOf(path);
  const nameOf = namesIn(main!.name);
  const config = requireTogether(readSettings(environmentOf(main!, env), nameOf), nameOf);
  const storages = [
    { name: main!.name, config },
    ...others.map((entry) => {
      const nameOf = namesIn(entry.name);
      const own = parseSettings(storageSettings, withoutCdn(environmentOf(entry, env)), nameOf);
      return { name: entry.name, config: requireTogether(own, nameOf) };
    }),
  ];
  refuseSharedBuckets(storages);
  return { ...config, storages };
}

function entriesOf(path: string) {
  try {
    return readStoragesFile(path);
  } catch (error) {
    if (error instanceof StoragesFileError) throw new ConfigError(`STORAGES_FILE: ${error.message}.`);
    throw error;
  }
}

/** The settings of a storage: its members in place of S3_*. */
function environmentOf(
  { name, storage }: { name: string; storage: StorageEntry },
  env: Environment,
): Environment {
  const members = Object.entries(memberOfSetting).map(([setting, member]) => {
    const value = storage[member];
    if (member !== "access_key_id_env" && member !== "secret_access_key_env") return [setting, value];
    if (value === undefined) return [setting, env[setting]];
    // Without the name: it can be the key itself, in the wrong place.
    if (!env[value])
      throw new ConfigError(
        `STORAGES_FILE: ${name}.${member} names an environment variable that is not set.`,
      );
    return [setting, env[value]];
  });
  return { ...env, S3_PUBLIC_ENDPOINT: undefined, ...Object.fromEntries(members) };
}

/** The CDN is in front of the buckets of the default storage. */
function withoutCdn(env: Environment): Environment {
  const isOfCdn = (name: string) => name === "PRIVATE_BASE_URL" || /^CDN(_|$)/.test(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOfCdn(name)));
}

/** Two storages with one bucket would remove each other's objects. */
function refuseSharedBuckets(storages: NamedStorage[]): void {
  const owners = new Map<string, string>();
  for (const { name, config } of storages) {
    for (const [member, bucket] of [
      ["bucket", config.S3_BUCKET],
      ["public_bucket", config.S3_PUBLIC_BUCKET],
    ] as const) {
      if (bucket === undefined) continue;
      const place = `${name}.${member}`;
      const key = `${serverOf(config.S3_ENDPOINT)} ${bucket}`;
      const other = owners.get(key);
      if (other !== undefined)
        throw new ConfigError(`STORAGES_FILE: ${other} and ${place} are the same bucket.`);
      owners.set(key, place);
    }
  }
}

const namesIn =
  (storage: string): NameOfSetting =>
  (setting, form) => {
    const member = (memberOfSetting as Record<string, string>)[setting];
    if (member === undefined) return nameSetting(setting, form);
    return form === "short" ? member : `STORAGES_FILE: ${storage}.${member}`;
  };

function requireBothKeys<Settings extends StorageConfig>(config: Settings): Settings {
  if ((config.S3_ACCESS_KEY_ID === undefined) !== (config.S3_SECRET_ACCESS_KEY === undefined))
    throw new ConfigError(
      "The settings S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be given together, or neither for the credentials of the platform.",
    );
  return config;
}

/** The settings of storage that belong together. @throws {ConfigError} */
function requireTogether<Settings extends StorageConfig>(config: Settings, nameOf?: NameOfSetting): Settings {
  refuseBucketInHost(config, nameOf);
  return requireVirtualNames(requirePublicBucket(requireBothKeys(config), nameOf), nameOf);
}

/** The consoles of providers show such an address. Storage would take the name of the bucket for the beginning of each key. */
function refuseBucketInHost(config: StorageConfig, nameOf: NameOfSetting = nameSetting): void {
  for (const name of ["S3_ENDPOINT", "S3_PUBLIC_ENDPOINT"] as const) {
    for (const bucket of [config.S3_BUCKET, config.S3_PUBLIC_BUCKET]) {
      const { hostname } = new URL(config[name] ?? config.S3_ENDPOINT);
      if (bucket === undefined || !hostname.startsWith(`${bucket}.`)) continue;
      const provider = findProvider(`https://${hostname.slice(bucket.length + 1)}`)?.provider;
      if (provider && provider.addressing !== "path")
        throw new ConfigError(`${nameOf(name)} must not have the bucket in its host.`);
    }
  }
}

function requirePublicBucket<Settings extends StorageConfig>(
  config: Settings,
  nameOf: NameOfSetting = nameSetting,
): Settings {
  if (config.S3_PUBLIC_BUCKET === config.S3_BUCKET)
    throw new ConfigError(
      `${nameOf("S3_PUBLIC_BUCKET")} must not name the bucket of ${nameOf("S3_BUCKET", "short")}.`,
    );
  if (config.PUBLIC_BASE_URL !== undefined && config.S3_PUBLIC_BUCKET === undefined)
    throw new ConfigError(
      `${nameOf("S3_PUBLIC_BUCKET")} is required with ${nameOf("PUBLIC_BASE_URL", "short")}.`,
    );
  if (config.PRIVATE_BASE_URL !== undefined && config.CDN === undefined)
    throw new ConfigError("The setting CDN is required with PRIVATE_BASE_URL.");
  for (const name of neededFor(config)) {
    if (config[name] === undefined) throw new ConfigError(`${nameOf(name)} is required with CDN.`);
  }
  if (
    (config.CDN_CLOUDFRONT_ACCESS_KEY_ID === undefined) !==
    (config.CDN_CLOUDFRONT_SECRET_ACCESS_KEY === undefined)
  )
    throw new ConfigError(
      "The settings CDN_CLOUDFRONT_ACCESS_KEY_ID and CDN_CLOUDFRONT_SECRET_ACCESS_KEY must be given together.",
    );
  return config;
}

function requireVirtualNames<Settings extends StorageConfig>(
  config: Settings,
  nameOf: NameOfSetting = nameSetting,
): Settings {
  if (config.S3_ADDRESSING !== "virtual") return config;
  for (const name of ["S3_BUCKET", "S3_PUBLIC_BUCKET"] as const) {
    if (!canBeVirtual(publicEndpointOf(config), config[name] ?? ""))
      throw new ConfigError(
        `${nameOf("S3_ADDRESSING")} can be virtual only for an endpoint with a name, and with https only for buckets without dots.`,
      );
  }
  return config;
}

function neededFor(config: StorageConfig): (keyof StorageConfig)[] {
  const { CDN: cdn, PUBLIC_BASE_URL: publicUrl, PRIVATE_BASE_URL: privateUrl } = config;
  if (cdn === undefined) return [];
  const isPublic = publicUrl !== undefined || privateUrl === undefined;
  const isPrivate = privateUrl !== undefined;
  const names: Record<typeof cdn, (keyof StorageConfig | false)[]> = {
    bunny: ["CDN_BUNNY_API_KEY", isPrivate && "CDN_BUNNY_TOKEN_KEY"],
    cloudfront: [
      isPublic && "CDN_CLOUDFRONT_DISTRIBUTION_ID",
      isPrivate && "CDN_CLOUDFRONT_PRIVATE_DISTRIBUTION_ID",
      isPrivate && "CDN_CLOUDFRONT_KEY_PAIR_ID",
      isPrivate && "CDN_CLOUDFRONT_PRIVATE_KEY",
    ],
  };
  const needed = [isPublic && "S3_PUBLIC_BUCKET", isPublic && "PUBLIC_BASE_URL", ...names[cdn]] as const;
  return needed.filter((name) => name !== false);
}
