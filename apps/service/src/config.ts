import { createPrivateKey } from "node:crypto";
import { isIP, isIPv6 } from "node:net";
import { projectCreationPolicies } from "@stowage/operator-schemas";
import * as z from "zod";
import { connectionUrlProblem } from "./db/driver/connection-url.js";
import { builtDashboardDir, builtDocsDir } from "./paths.js";

const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL", abort: true });
const wholeNumber = (min: number, max: number) =>
  z.coerce
    .number({ error: "must be a number" })
    .int({ error: "must be a whole number" })
    .min(min, { error: `must be at least ${min}` })
    .max(max, { error: `must be at most ${max}` });
const required = z.string({ error: "is required" }).min(1, { error: "is required" });
const bucketName = required.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: "must be a bucket name" });
const onOrOff = z.enum(["on", "off"], { error: "must be on or off" }).transform((word) => word === "on");

const trueOrFalse = z
  .enum(["true", "false"], { error: "must be true or false" })
  .transform((word) => word === "true");
const otlpProtocol = z
  .literal("http/protobuf", {
    error: "must be http/protobuf: the service exports spans with no other protocol",
  })
  .optional();

const databaseUrl = required
  .regex(/^postgres(ql)?:\/\//, { error: "must start with postgres://", abort: true })
  .superRefine((url, context) => {
    const message = connectionUrlProblem(url);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });

const redisUrl = z.url({ protocol: /^rediss?$/, error: "must be a redis or rediss URL" });

/** All settings of the service. Each is an environment variable; an empty variable counts as not set. */
const settings = z.object({
  /** Address to listen on. 127.0.0.1 accepts connections only from this machine. In a container, use 0.0.0.0. */
  HOST: z.string().default("127.0.0.1"),
  /** Port to listen on. 0: a free port. */
  PORT: wholeNumber(0, 65535).default(4000),
  /** `postgres://user:password@host:port/database?parameter=value`. docs/database.md describes the parameters. */
  DATABASE_URL: databaseUrl,
  /** Largest number of connections per replica. The lanes of the database share them (db/traffic/lanes.ts), and each has at least one. */
  DATABASE_POOL_SIZE: wholeNumber(1, 500).default(14),
  /** Time limit for one query in milliseconds. After it the request is answered with 503. */
  DATABASE_TIMEOUT_MS: wholeNumber(100, 60_000).default(5000),
  /** `off` sends no prepared statements, for poolers in transaction mode that do not keep them, such as pgbouncer before 1.21. */
  DATABASE_PREPARED: onOrOff.default(true),
  /** `off`: the service does not migrate the database at start. It only checks that the schema is current. */
  MIGRATE: onOrOff.default(true),
  /** The database as `stowage migrate` and the start reach it for migrations: another user, or past a pooler. Not set: DATABASE_URL. */
  MIGRATION_DATABASE_URL: databaseUrl.optional(),
  /** URL under which this service reaches S3. */
  S3_ENDPOINT: required.pipe(httpUrl),
  /** URL under which browsers reach S3, used in presigned URLs. Not set: S3_ENDPOINT. */
  S3_PUBLIC_ENDPOINT: httpUrl.optional(),
  S3_REGION: z.string().default("us-east-1"),
  S3_BUCKET: bucketName,
  /** The bucket of public files, whose objects everyone can read. Not set: files cannot be public. docs/public-files.md */
  S3_PUBLIC_BUCKET: bucketName.optional(),
  /** URL under which everyone reads the bucket of public files, usually that of a CDN. Not set: the bucket on S3_PUBLIC_ENDPOINT. */
  PUBLIC_BASE_URL: httpUrl
    .refine((url) => !/[?#]/.test(url), { error: "must have no query" })
    .transform((url) => url.replace(/\/+$/, ""))
    .optional(),
  /**
   * URL of the bucket of private files at a CDN that checks signatures. Downloads are signed for it. Not set: browsers download from
   * S3_PUBLIC_ENDPOINT. Needs CDN. docs/cdn.md
   */
  PRIVATE_BASE_URL: httpUrl.transform((url) => url.replace(/\/+$/, "")).optional(),
  /** The CDN at PUBLIC_BASE_URL and PRIVATE_BASE_URL, which is purged of what is removed from the buckets. Not set: nothing is purged. docs/cdn.md */
  CDN: z.enum(["bunny", "cloudfront"], { error: "must be bunny or cloudfront" }).optional(),
  /** The API key of the account. Needed with CDN=bunny. */
  CDN_BUNNY_API_KEY: z.string().optional(),
  /** The URL token authentication key of the pull zone at PRIVATE_BASE_URL. Needed with CDN=bunny and PRIVATE_BASE_URL. */
  CDN_BUNNY_TOKEN_KEY: z.string().optional(),
  /** The distribution at PRIVATE_BASE_URL. Needed with CDN=cloudfront and PRIVATE_BASE_URL. */
  CDN_CLOUDFRONT_PRIVATE_DISTRIBUTION_ID: z.string().optional(),
  /** The id of the public key with which CloudFront checks signatures. Needed with CDN=cloudfront and PRIVATE_BASE_URL. */
  CDN_CLOUDFRONT_KEY_PAIR_ID: z
    .string()
    .regex(/^[A-Z0-9]+$/, { error: "must be the ID of a public key in CloudFront" })
    .optional(),
  /** The RSA private key of CDN_CLOUDFRONT_KEY_PAIR_ID, in PEM. `\\n` stands for a new line. */
  CDN_CLOUDFRONT_PRIVATE_KEY: z
    .string()
    .transform((pem) => pem.replaceAll("\\n", "\n"))
    .refine(isRsaKey, { error: "must be an RSA private key in PEM" })
    .optional(),
  /** The distribution at PUBLIC_BASE_URL. Needed with CDN=cloudfront and PUBLIC_BASE_URL. */
  CDN_CLOUDFRONT_DISTRIBUTION_ID: z.string().optional(),
  /** Keys of a user who may create invalidations. Not set: those of S3. */
  CDN_CLOUDFRONT_ACCESS_KEY_ID: z.string().optional(),
  CDN_CLOUDFRONT_SECRET_ACCESS_KEY: z.string().optional(),
  S3_ACCESS_KEY_ID: required,
  S3_SECRET_ACCESS_KEY: required,
  /** Time limit for one call to S3 in milliseconds. After it the request is answered with 503. */
  S3_TIMEOUT_MS: wholeNumber(100, 60_000).default(5000),
  /** Quota in bytes of a tenant if neither the tenant nor its project has one. Not set: no quota. */
  DEFAULT_QUOTA_BYTES: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  /** Days until an upload by parts that is not complete ends. Then its parts are removed and its reservation is returned. */
  UPLOAD_SESSION_DAYS: wholeNumber(1, 30).default(7),
  /** Requests per minute for each project, and for each client that calls /trpc. A client is an IPv4 address or an IPv6 /64 network. 0: no limit. */
  RATE_LIMIT_PER_MINUTE: wholeNumber(0, 100_000_000).default(60_000),
  /** Failures per minute and client with a missing, malformed or unknown API key. Keys that the replica knows still work. 0: no limit. */
  FAILING_KEYS_PER_MINUTE: wholeNumber(0, 100_000_000).default(300),
  /** `redis://` or `rediss://` with TLS: replicas count the limits per minute together. Not set: each replica counts alone. */
  RATE_LIMIT_STORE: redisUrl.optional(),
  /** Open connections of each client. More are closed. Addresses of TRUSTED_PROXIES have no limit. 0: no limit. */
  CONNECTIONS_PER_CLIENT: wholeNumber(0, 1_000_000).default(1000),
  /** Milliseconds between two sweeps, which look into storage for uploads that nothing has reported. 0: this replica never sweeps. */
  SWEEP_INTERVAL_MS: wholeNumber(0, 60_000).default(1000),
  /** Secret that storage sends with notifications to /internal/storage-events. Not set: the endpoint does not exist. */
  STORAGE_EVENTS_SECRET: z.string().min(16, { error: "must be at least 16 characters" }).optional(),
  /** ARNs of the SNS topics that may send notifications, separated by commas. */
  STORAGE_EVENTS_SNS_TOPICS: z
    .string()
    .regex(/^ *(arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w.-]+ *(, *|$))+$/, {
      error: "must be ARNs of SNS topics, separated by commas",
    })
    .transform((arns) => arns.split(",").flatMap((arn) => arn.trim() || []))
    .default([]),
  /** `off`: no replica with this setting delivers webhooks. Their events are still recorded, and are delivered later. */
  WEBHOOKS: onOrOff.default(true),
  /** `true`: webhooks may go to private addresses and over http. For development, or for receivers in the operator's own network. */
  WEBHOOK_ALLOW_PRIVATE: trueOrFalse.default(false),
  /** clamd, with which `stowage worker` scans files: `tcp://host:port` or `unix:/path/to/socket`. docs/scanning.md */
  CLAMAV_URL: z
    .string()
    .regex(/^(tcp:\/\/[^/\s]+:\d{1,5}|unix:\/.+)$/, { error: "must be tcp://host:port or unix:/path" })
    .optional(),
  /** Folder with the built dashboard. Not set: `apps/dashboard/dist` of this repository. `none`: the dashboard is not served. */
  DASHBOARD_DIR: z.string().default(builtDashboardDir),
  /** Folder with the built documentation site. Not set: `apps/docs/dist` of this repository. `none`: `/docs` serves only Markdown. */
  DOCS_SITE_DIR: z.string().default(builtDocsDir),
  /** Address under which browsers reach the dashboard, such as https://storage.example.com. Not set: localhost and 127.0.0.1 with PORT. */
  DASHBOARD_URL: httpUrl
    .refine((url) => new URL(url).pathname === "/", { error: "must be an address without a path" })
    .transform((url) => new URL(url).origin)
    .optional(),
  /** How long browsers remember to call this host only over https, in seconds, once they have called it over https. 0: they forget it. */
  HSTS_MAX_AGE_SECONDS: wholeNumber(0, 100_000_000).default(31_536_000),
  /** Secret that signs session cookies and encrypts the secrets of authenticator apps. Not set: the service creates one in the database. */
  SIGN_IN_SECRET: z.string().min(32, { error: "must be at least 32 characters" }).optional(),
  /** Issuer of the OpenID Connect provider that signs operators in. Not set: they sign in with passwords only. docs/oidc.md */
  OIDC_ISSUER: httpUrl
    .refine(isHttpsOrLoopback, { error: "must be an https URL" })
    .refine((url) => !/[?#]/.test(url), { error: "must have no query" })
    .optional(),
  /** The client that the provider knows this installation by. Needed with OIDC_ISSUER, as are its secret and DASHBOARD_URL. */
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  /** Scopes to ask for, separated by spaces. */
  OIDC_SCOPES: z
    .string()
    .transform((list) => list.split(/\s+/).filter((scope) => scope !== ""))
    .refine((scopes) => scopes.includes("openid"), { error: "must contain openid" })
    .default(["openid", "email", "profile"]),
  /** The provider's name on the sign-in page: "Continue with …". Not set: the host of OIDC_ISSUER. */
  OIDC_NAME: z.string().trim().max(40, { error: "must have at most 40 characters" }).optional(),
  /** `claim`: the ID token's claim `amr` must contain `mfa` to count as a second factor. `provider`: each sign-in by the provider counts. */
  OIDC_SECOND_FACTOR: z.enum(["claim", "provider"], { error: "must be claim or provider" }).default("claim"),
  /** `claim`: an e-mail address needs the claim `email_verified`. `provider`: an address without this claim counts as verified. */
  OIDC_VERIFIED_EMAIL: z.enum(["claim", "provider"], { error: "must be claim or provider" }).default("claim"),
  /** `on`: a verified e-mail address connects an existing account without its password. Only for a provider that your organization runs. */
  OIDC_CONNECT_BY_EMAIL: onOrOff.default(false),
  /** Hours after which an operator who came by the provider signs in again. */
  OIDC_SESSION_HOURS: wholeNumber(1, 168).default(12),
  /** `off`: passwords are refused, except those of operators to whom `stowage operator set` gave an exception. Needs OIDC_ISSUER. */
  PASSWORD_SIGN_IN: onOrOff.default(true),
  /** `on`: an operator without a second factor must set one up before anything else, and none can turn it off. */
  REQUIRE_TWO_FACTOR: onOrOff.default(false),
  /** Who may create projects in the dashboard. `granted`: admins, and the operators to whom an admin granted it. */
  PROJECT_CREATION: z
    .enum(projectCreationPolicies, { error: "must be admins, granted or everyone" })
    .default("granted"),
  /** IP addresses or networks (10.0.0.0/8) of proxies whose X-Forwarded-For header is trusted, separated by commas. */
  TRUSTED_PROXIES: z
    .string()
    .transform((list) => list.split(",").flatMap((address) => address.trim() || []))
    .refine((list) => list.every(isAddressOrNetwork), {
      error: "must be IP addresses or networks, separated by commas",
    })
    .default([]),
  /** Seconds after SIGTERM in which /readyz answers 503 and all other requests work, so that load balancers stop sending requests. docs/proxies.md */
  DRAIN_DELAY_SECONDS: wholeNumber(0, 600).default(0),
  /** Seconds after that in which running requests may finish. Then the process exits. */
  DRAIN_SECONDS: wholeNumber(0, 600).default(15),
  /** Port of `/metrics` for Prometheus, apart from PORT: it has no password. 0: a free port. Not set: no metrics. docs/metrics.md */
  METRICS_PORT: wholeNumber(0, 65535).optional(),
  /** Address of METRICS_PORT. Only the network of Prometheus should reach it. */
  METRICS_HOST: z.string().default("127.0.0.1"),
  /** Where spans are sent. Not set: to a collector if one of the next two settings is set, else nowhere. docs/tracing.md */
  OTEL_TRACES_EXPORTER: z.enum(["otlp", "none"], { error: "must be otlp or none" }).optional(),
  /** Address of a collector for OTLP over HTTP. The path `/v1/traces` is added. */
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  /** The same with its path, only for spans. */
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: otlpProtocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: otlpProtocol,
  /** Which traces are recorded. The samplers `parentbased_…` follow the choice of customers' backends. */
  OTEL_TRACES_SAMPLER: z
    .enum(
      [
        "always_on",
        "always_off",
        "traceidratio",
        "parentbased_always_on",
        "parentbased_always_off",
        "parentbased_traceidratio",
      ],
      { error: "must be a sampler of OpenTelemetry, such as parentbased_traceidratio" },
    )
    .default("parentbased_always_on"),
  /** The share of traces that a sampler `…traceidratio` records. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number({ error: "must be a number" })
    .min(0, { error: "must be at least 0" })
    .max(1, { error: "must be at most 1" })
    .default(1),
  /** `true`: no spans, also if other settings ask for them. */
  OTEL_SDK_DISABLED: trueOrFalse.default(false),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
      error: "must be fatal, error, warn, info, debug, trace or silent",
    })
    .default("info"),
});

export type Config = z.infer<typeof settings>;

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(settings.shape);

/** Plain http is only for a provider on this machine. */
function isHttpsOrLoopback(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

/** The settings that belong together. @throws {ConfigError} */
function requireOidcSettings(config: Config): Config {
  if (config.OIDC_ISSUER === undefined) {
    if (!config.PASSWORD_SIGN_IN)
      throw new ConfigError("The setting PASSWORD_SIGN_IN can be off only with OIDC_ISSUER.");
    return config;
  }
  for (const name of ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "DASHBOARD_URL"] as const) {
    if (config[name] === undefined)
      throw new ConfigError(`The setting ${name} is required with OIDC_ISSUER.`);
  }
  return config;
}

function requirePublicBucket<Settings extends StorageConfig>(config: Settings): Settings {
  if (config.S3_PUBLIC_BUCKET === config.S3_BUCKET)
    throw new ConfigError("The setting S3_PUBLIC_BUCKET must not name the bucket of S3_BUCKET.");
  if (config.PUBLIC_BASE_URL !== undefined && config.S3_PUBLIC_BUCKET === undefined)
    throw new ConfigError("The setting S3_PUBLIC_BUCKET is required with PUBLIC_BASE_URL.");
  if (config.PRIVATE_BASE_URL !== undefined && config.CDN === undefined)
    throw new ConfigError("The setting CDN is required with PRIVATE_BASE_URL.");
  for (const name of neededFor(config)) {
    if (config[name] === undefined) throw new ConfigError(`The setting ${name} is required with CDN.`);
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

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}

function isAddressOrNetwork(text: string): boolean {
  const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  return isIP(address) !== 0 && Number(bits ?? 0) <= (isIPv6(address) ? 128 : 32);
}

/** Whether the service records and exports spans. */
export function isTracingOn(config: Config): boolean {
  if (config.OTEL_SDK_DISABLED) return false;
  const hasEndpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT ?? config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  return (config.OTEL_TRACES_EXPORTER ?? (hasEndpoint ? "otlp" : "none")) === "otlp";
}

const databaseSettings = settings.pick({
  DATABASE_URL: true,
  DATABASE_POOL_SIZE: true,
  DATABASE_TIMEOUT_MS: true,
  DATABASE_PREPARED: true,
  DEFAULT_QUOTA_BYTES: true,
});
/** The settings of a command that uses only the database. */
export type DatabaseConfig = z.infer<typeof databaseSettings>;

const migrationSettings = settings.pick({ MIGRATION_DATABASE_URL: true, DATABASE_TIMEOUT_MS: true });
/** How migrations reach the database. */
export interface MigrationConfig {
  url: string;
  /** The setting that the URL comes from, for messages. */
  setting: "MIGRATION_DATABASE_URL" | "DATABASE_URL";
  timeoutMs: number;
}

const operatorSettings = databaseSettings.extend(settings.pick({ PORT: true, DASHBOARD_URL: true }).shape);
/** The settings of a command that prints links to the dashboard. */
export type OperatorConfig = z.infer<typeof operatorSettings>;

const webhookSettings = databaseSettings.extend(
  settings.pick({ SIGN_IN_SECRET: true, WEBHOOK_ALLOW_PRIVATE: true }).shape,
);
/** The settings of a command that creates webhook endpoints. */
export type WebhookConfig = z.infer<typeof webhookSettings>;

const storageSettings = settings.pick({
  S3_ENDPOINT: true,
  S3_PUBLIC_ENDPOINT: true,
  S3_REGION: true,
  S3_BUCKET: true,
  S3_PUBLIC_BUCKET: true,
  PUBLIC_BASE_URL: true,
  CDN: true,
  CDN_BUNNY_API_KEY: true,
  CDN_BUNNY_TOKEN_KEY: true,
  PRIVATE_BASE_URL: true,
  CDN_CLOUDFRONT_PRIVATE_DISTRIBUTION_ID: true,
  CDN_CLOUDFRONT_KEY_PAIR_ID: true,
  CDN_CLOUDFRONT_PRIVATE_KEY: true,
  CDN_CLOUDFRONT_DISTRIBUTION_ID: true,
  CDN_CLOUDFRONT_ACCESS_KEY_ID: true,
  CDN_CLOUDFRONT_SECRET_ACCESS_KEY: true,
  S3_ACCESS_KEY_ID: true,
  S3_SECRET_ACCESS_KEY: true,
  S3_TIMEOUT_MS: true,
});
/** The settings of a command that uses only storage. */
export type StorageConfig = z.infer<typeof storageSettings>;

/** The S3 endpoint as browsers reach it. */
export function publicEndpointOf(config: StorageConfig): string {
  return config.S3_PUBLIC_ENDPOINT ?? config.S3_ENDPOINT;
}

/** Where everyone reads the objects of the public bucket: its URL, without a slash at the end. */
export function publicBaseUrlOf(config: StorageConfig): string {
  return (
    config.PUBLIC_BASE_URL ?? `${publicEndpointOf(config).replace(/\/+$/, "")}/${config.S3_PUBLIC_BUCKET}`
  );
}

/** The origins from which browsers load files and to which they upload. */
export function storageOriginsOf(config: StorageConfig): string[] {
  const urls = [publicEndpointOf(config), config.PRIVATE_BASE_URL].filter((url) => url !== undefined);
  return [...new Set(urls.map((url) => new URL(url).origin))];
}

export type Environment = Record<string, string | undefined>;

/** A missing or invalid setting, or an invalid argument. The message is one sentence for the person who starts the program. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * Explains why a server cannot listen.
 *
 * @param prefix of the settings HOST and PORT that chose the address
 */
export function toListenError(
  error: unknown,
  { host, port, prefix = "" }: { host: string; port: number; prefix?: "" | "METRICS_" },
): ConfigError {
  const { code } = error as NodeJS.ErrnoException;
  return new ConfigError(
    code === "EADDRINUSE"
      ? `Port ${port} is already in use. Stop the process that uses it, or set ${prefix}PORT to another port.`
      : `The service cannot listen on ${prefix}HOST ${host} and ${prefix}PORT ${port} (${code}).`,
  );
}

/** @throws {ConfigError} for the first invalid setting. The message names the setting and the rule, but not the value, which may be secret. */
export function readConfig(env: Environment): Config {
  return requirePublicBucket(requireOidcSettings(read(settings, env)));
}

/** @throws {ConfigError} as {@link readConfig} */
export function readDatabaseConfig(env: Environment): DatabaseConfig {
  return read(databaseSettings, env);
}

/** Needs only one of the two URLs. @throws {ConfigError} as {@link readConfig} */
export function readMigrationConfig(env: Environment): MigrationConfig {
  const { MIGRATION_DATABASE_URL: own, DATABASE_TIMEOUT_MS: timeoutMs } = read(migrationSettings, env);
  if (own !== undefined) return { url: own, setting: "MIGRATION_DATABASE_URL", timeoutMs };
  return { url: readDatabaseConfig(env).DATABASE_URL, setting: "DATABASE_URL", timeoutMs };
}

/** @throws {ConfigError} as {@link readConfig} */
export function readOperatorConfig(env: Environment): OperatorConfig {
  return read(operatorSettings, env);
}

/** @throws {ConfigError} as {@link readConfig} */
export function readWebhookConfig(env: Environment): WebhookConfig {
  return read(webhookSettings, env);
}

/** @throws {ConfigError} as {@link readConfig} */
export function readStorageConfig(env: Environment): StorageConfig {
  return requirePublicBucket(read(storageSettings, env));
}

function read<Schema extends z.ZodType>(schema: Schema, env: Environment): z.output<Schema> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ConfigError(`The setting ${issue?.path.join(".")} ${issue?.message}.`);
}
