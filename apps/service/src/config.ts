import * as z from "zod";
import { parseConnectionUrl } from "./db/driver/connection-url.js";
import type { PasswordSource } from "./db/driver/password-source.js";
import { database } from "./settings/database.js";
import { egress } from "./settings/egress.js";
import { ConfigError, type Environment, parseSettings } from "./settings/parse-settings.js";
import { parsersOf } from "./settings/setting.js";
import { settings } from "./settings/settings.js";
import {
  type HasStorages,
  readWithStorages,
  type StorageConfig,
  storageSettings,
} from "./settings/storage-config.js";

const allSettings = z.object(parsersOf(settings));
/** All settings of the service: docs/settings.md. */
export type Config = z.infer<typeof allSettings> & HasStorages;

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

/** Whether the service records and exports spans. */
export function isTracingOn(config: Config): boolean {
  if (config.OTEL_SDK_DISABLED) return false;
  const hasEndpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT ?? config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  return (config.OTEL_TRACES_EXPORTER ?? (hasEndpoint ? "otlp" : "none")) === "otlp";
}

type PasswordSettings = Pick<DatabaseConfig, "DATABASE_PASSWORD_FILE" | "DATABASE_PASSWORD_COMMAND">;

/** Where the password comes from. Undefined: from the URL. */
export function passwordSourceOf({
  DATABASE_PASSWORD_FILE: file,
  DATABASE_PASSWORD_COMMAND: command,
}: PasswordSettings): PasswordSource | undefined {
  if (file !== undefined) return { file };
  return command === undefined ? undefined : { command };
}

function requireOnePassword<Settings extends PasswordSettings & { DATABASE_URL?: string }>(
  config: Settings,
): Settings {
  const { DATABASE_URL: url, DATABASE_PASSWORD_FILE: file, DATABASE_PASSWORD_COMMAND: command } = config;
  if (file !== undefined && command !== undefined)
    throw new ConfigError(
      "The settings DATABASE_PASSWORD_FILE and DATABASE_PASSWORD_COMMAND must not be given together.",
    );
  const hasSource = file !== undefined || command !== undefined;
  if (hasSource && url !== undefined && parseConnectionUrl(url).password !== undefined)
    throw new ConfigError(
      `The setting DATABASE_URL must have no password with ${file === undefined ? "DATABASE_PASSWORD_COMMAND" : "DATABASE_PASSWORD_FILE"}.`,
    );
  return config;
}

const databaseSettings = z.object(parsersOf(database)).extend(
  allSettings.pick({
    DEFAULT_QUOTA_BYTES: true,
    DEFAULT_MAX_FILES: true,
    DEFAULT_MAX_OPEN_UPLOADS: true,
    DEFAULT_UPLOADS_PER_MINUTE: true,
  }).shape,
);
/** The settings of a command that uses only the database. */
export type DatabaseConfig = z.infer<typeof databaseSettings>;

const migrationSettings = allSettings.pick({
  MIGRATION_DATABASE_URL: true,
  DATABASE_TIMEOUT_MS: true,
  DATABASE_PASSWORD_FILE: true,
  DATABASE_PASSWORD_COMMAND: true,
});
/** How migrations reach the database. */
export interface MigrationConfig {
  url: string;
  /** The setting that the URL comes from, for messages. */
  setting: "MIGRATION_DATABASE_URL" | "DATABASE_URL";
  timeoutMs: number;
  /** Undefined: the password of the URL. */
  password: PasswordSource | undefined;
}

const operatorSettings = databaseSettings.extend(allSettings.pick({ PORT: true, DASHBOARD_URL: true }).shape);
/** The settings of a command that prints links to the dashboard. */
export type OperatorConfig = z.infer<typeof operatorSettings>;

const webhookSettings = databaseSettings.extend(
  allSettings.pick({ SIGN_IN_SECRET: true, WEBHOOK_ALLOW_PRIVATE: true }).shape,
);
/** The settings of a command that creates webhook endpoints. */
export type WebhookConfig = z.infer<typeof webhookSettings>;

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
  return readWithStorages(env, (env, nameOf) =>
    requireOidcSettings(requireOnePassword(parseSettings(allSettings, env, nameOf))),
  );
}

/** @throws {ConfigError} as {@link readConfig} */
export function readDatabaseConfig(env: Environment): DatabaseConfig {
  return requireOnePassword(parseSettings(databaseSettings, env));
}

/**
 * Needs only one of the two URLs. A password in MIGRATION_DATABASE_URL is that of another role, so it counts before a file or command.
 *
 * @throws {ConfigError} as {@link readConfig}
 */
export function readMigrationConfig(env: Environment): MigrationConfig {
  const { MIGRATION_DATABASE_URL: own, ...config } = requireOnePassword(
    parseSettings(migrationSettings, env),
  );
  const { DATABASE_TIMEOUT_MS: timeoutMs } = config;
  const password = passwordSourceOf(config);
  if (own === undefined)
    return { url: readDatabaseConfig(env).DATABASE_URL, setting: "DATABASE_URL", timeoutMs, password };
  const hasOwn = parseConnectionUrl(own).password !== undefined;
  return {
    url: own,
    setting: "MIGRATION_DATABASE_URL",
    timeoutMs,
    password: hasOwn ? undefined : password,
  };
}

/** @throws {ConfigError} as {@link readConfig} */
export function readOperatorConfig(env: Environment): OperatorConfig {
  return requireOnePassword(parseSettings(operatorSettings, env));
}

/** @throws {ConfigError} as {@link readConfig} */
export function readWebhookConfig(env: Environment): WebhookConfig {
  return requireOnePassword(parseSettings(webhookSettings, env));
}

/** @throws {ConfigError} as {@link readConfig} */
export function readStorageConfig(env: Environment): StorageConfig & HasStorages {
  return readWithStorages(env, (env, nameOf) => parseSettings(storageSettings, env, nameOf));
}

const egressSettings = z.object(parsersOf(egress));

/** How this process reaches other hosts. @throws {ConfigError} as {@link readConfig} */
export function readEgressConfig(env: Environment): z.infer<typeof egressSettings> {
  return parseSettings(egressSettings, env);
}
