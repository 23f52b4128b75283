import { isIP, isIPv6 } from "node:net";
import * as z from "zod";
import { builtDashboardDir } from "./paths.js";

const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL", abort: true });
const wholeNumber = (least: number, most: number) =>
  z.coerce
    .number({ error: "must be a number" })
    .int({ error: "must be a whole number" })
    .min(least, { error: `must be at least ${least}` })
    .max(most, { error: `must be at most ${most}` });
const required = z.string({ error: "is required" }).min(1, { error: "is required" });

/** Every setting of the service, each by its environment variable. An empty variable counts as not set. */
const settings = z.object({
  /** Where to listen. 127.0.0.1 keeps other machines out; a container wants 0.0.0.0. */
  HOST: z.string().default("127.0.0.1"),
  PORT: wholeNumber(0, 65535).default(4000),
  /** `postgres://user:password@host:port/database` */
  DATABASE_URL: required
    .regex(/^postgres(ql)?:\/\//, { error: "must start with postgres://", abort: true })
    .refine((url) => URL.canParse(url), {
      error: "must be a URL: escape special characters of its password",
    }),
  /** Connections each replica may hold. */
  DATABASE_POOL_SIZE: wholeNumber(1, 500).default(10),
  /** How long one query may take before its caller gets 503. */
  DATABASE_TIMEOUT_MS: wholeNumber(100, 60_000).default(5000),
  /** The S3 endpoint as this service reaches it. */
  S3_ENDPOINT: required.pipe(httpUrl),
  /** The same endpoint as browsers reach it, when that differs: presigned URLs name it. */
  S3_PUBLIC_ENDPOINT: httpUrl.optional(),
  S3_REGION: z.string().default("us-east-1"),
  S3_BUCKET: required.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: "must be a bucket name" }),
  S3_ACCESS_KEY_ID: required,
  S3_SECRET_ACCESS_KEY: required,
  /** How long one call to storage may take before its caller gets 503. */
  S3_TIMEOUT_MS: wholeNumber(100, 60_000).default(5000),
  /** Bytes that a tenant may use when neither it nor its project says otherwise. Not set: no quota. */
  DEFAULT_QUOTA_BYTES: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  /** Requests a minute for each API key, and for each address that calls /trpc, counted in each replica. 0: no limit. */
  RATE_LIMIT_PER_MINUTE: wholeNumber(0, 100_000_000).default(60_000),
  /** How often to look into storage for uploads that nobody has told us about. 0: never in this replica. */
  SWEEP_INTERVAL_MS: wholeNumber(0, 60_000).default(1000),
  /** What storage shows when it sends notifications to /internal/storage-events. Not set: there is no such endpoint. */
  STORAGE_EVENTS_SECRET: z.string().min(16, { error: "must be at least 16 characters" }).optional(),
  /** ARNs of the SNS topics that may send notifications, separated by commas. */
  STORAGE_EVENTS_SNS_TOPICS: z
    .string()
    .regex(/^ *(arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w.-]+ *(, *|$))+$/, {
      error: "must be ARNs of SNS topics, separated by commas",
    })
    .transform((arns) => arns.split(",").flatMap((arn) => arn.trim() || []))
    .default([]),
  /** Folder with the dashboard's built pages. Not set: the one beside the service, where it is built. `none`: none are served. */
  DASHBOARD_DIR: z.string().default(builtDashboardDir),
  /** The dashboard's address as browsers see it, such as https://storage.example.com. Not set: this machine (localhost, 127.0.0.1) and the port. */
  DASHBOARD_URL: httpUrl
    .refine((url) => new URL(url).pathname === "/", { error: "must be an address without a path" })
    .transform((url) => new URL(url).origin)
    .optional(),
  /** Signs the cookies of people who sign in, and encrypts their authenticator apps' secrets. Not set: one is made, and kept in the database. */
  SIGN_IN_SECRET: z.string().min(32, { error: "must be at least 32 characters" }).optional(),
  /** Addresses of proxies, or networks such as 10.0.0.0/8, whose X-Forwarded-For is believed; separated by commas. */
  TRUSTED_PROXIES: z
    .string()
    .transform((list) => list.split(",").flatMap((address) => address.trim() || []))
    .refine((list) => list.every(isAddressOrNetwork), {
      error: "must be IP addresses or networks, separated by commas",
    })
    .default([]),
  /** After SIGTERM, how long to go on as before while /readyz already says no, so that load balancers stop sending first. */
  DRAIN_DELAY_SECONDS: wholeNumber(0, 600).default(0),
  /** Then, how long requests under way may take before the process ends all the same. */
  DRAIN_SECONDS: wholeNumber(0, 600).default(15),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
      error: "must be fatal, error, warn, info, debug, trace or silent",
    })
    .default("info"),
});

export type Config = z.infer<typeof settings>;

function isAddressOrNetwork(text: string): boolean {
  const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  return isIP(address) !== 0 && Number(bits ?? 0) <= (isIPv6(address) ? 128 : 32);
}

const databaseSettings = settings.pick({
  DATABASE_URL: true,
  DATABASE_POOL_SIZE: true,
  DATABASE_TIMEOUT_MS: true,
  DEFAULT_QUOTA_BYTES: true,
});
/** What a command that only talks to the database needs. */
export type DatabaseConfig = z.infer<typeof databaseSettings>;

const operatorSettings = databaseSettings.extend(settings.pick({ PORT: true, DASHBOARD_URL: true }).shape);
/** What a command needs that makes links to the dashboard. */
export type OperatorConfig = z.infer<typeof operatorSettings>;

const storageSettings = settings.pick({
  S3_ENDPOINT: true,
  S3_PUBLIC_ENDPOINT: true,
  S3_REGION: true,
  S3_BUCKET: true,
  S3_ACCESS_KEY_ID: true,
  S3_SECRET_ACCESS_KEY: true,
  S3_TIMEOUT_MS: true,
});
/** What a command that only talks to storage needs. */
export type StorageConfig = z.infer<typeof storageSettings>;

export type Environment = Record<string, string | undefined>;

/** A setting that is missing or wrong; the message is one sentence for the person who starts the service. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** @throws {ConfigError} naming the first setting that is wrong and what it must be. Values are not repeated: some are secrets. */
export function readConfig(env: Environment): Config {
  return read(settings, env);
}

/** @throws {ConfigError} as {@link readConfig} */
export function readDatabaseConfig(env: Environment): DatabaseConfig {
  return read(databaseSettings, env);
}

/** @throws {ConfigError} as {@link readConfig} */
export function readOperatorConfig(env: Environment): OperatorConfig {
  return read(operatorSettings, env);
}

/** @throws {ConfigError} as {@link readConfig} */
export function readStorageConfig(env: Environment): StorageConfig {
  return read(storageSettings, env);
}

function read<Schema extends z.ZodType>(schema: Schema, env: Environment): z.output<Schema> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ConfigError(`The setting ${issue?.path.join(".")} ${issue?.message}.`);
}
