import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** A mistake or a task of the person who started Stowage. Only its message is printed, without a stack trace. */
export class LocalError extends Error {
  override readonly name = "LocalError";
}

/** Where the parts of Stowage are: those of a checkout, or those of the npm package `stowage`. */
export interface Installation {
  /** The paths of Node programs. */
  programs: Programs;
  /** The data folder, unless STOWAGE_DATA_DIR names another one. */
  dataDir: string;
}

export interface Programs {
  store: string;
  service: string;
  cli: string;
  /** A customer's app. Only a checkout has it. */
  example?: string;
}

export interface LocalSettings {
  programs: Programs;
  dataDir: string;
  /** 0 means any free port. */
  ports: { service: number; store: number; example: number };
  /** @default PostgreSQL from npm, with its data below the data folder */
  databaseUrl: string | undefined;
  /** The S3_* settings, or STORAGES_FILE and the variables that it names. Passed on unchanged. @default dev-store, with its data below the data folder */
  storage: Record<string, string> | undefined;
  /** Settings that are passed on to the service unchanged. */
  serviceSettings: Record<string, string>;
  /** Settings that are passed on to the example app unchanged. */
  exampleSettings: Record<string, string>;
}

const STORAGE_REQUIRED = ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;
const STORAGE_OPTIONAL = [
  "S3_REGION",
  "S3_PUBLIC_ENDPOINT",
  "S3_PUBLIC_BUCKET",
  "PUBLIC_BASE_URL",
  "S3_ADDRESSING",
  "S3_ENCRYPTION",
  "S3_TIMEOUT_MS",
  "STORAGES_FILE",
] as const;
const SERVICE_SETTINGS = [
  "DATABASE_POOL_SIZE",
  "DATABASE_TIMEOUT_MS",
  "DEFAULT_QUOTA_BYTES",
  "RATE_LIMIT_PER_MINUTE",
  "SWEEP_INTERVAL_MS",
  "DASHBOARD_URL",
  "PROJECT_CREATION",
  "REQUIRE_TWO_FACTOR",
  "SIGN_IN_SECRET",
  "TRUSTED_PROXIES",
  "STORAGE_EVENTS_SECRET",
  "STORAGE_EVENTS_SNS_TOPICS",
  "WEBHOOKS",
  "WEBHOOK_ALLOW_PRIVATE",
  "LOG_LEVEL",
  "CLAMAV_URL",
  "HEIC_VARIANTS",
  "PDF_VARIANTS",
  "FFMPEG_PATH",
] as const;
const EXAMPLE_SETTINGS = ["STOWAGE_WEBHOOK_SECRET"] as const;

/** The settings that are passed on unchanged to the service and to the example app. */
export const passedOn = {
  service: [...STORAGE_REQUIRED, ...STORAGE_OPTIONAL, ...SERVICE_SETTINGS],
  example: EXAMPLE_SETTINGS,
};

/** The settings that are read here, as docs/settings.md describes them. */
export const settings = {
  STOWAGE_DATA_DIR: {
    value: "folder",
    ifUnset: "`.stowage`",
    meaning: "The data: database, files and secrets.",
    neededBy: "several installations on one machine",
  },
  PORT: {
    value: "port, 0 to 65533",
    ifUnset: "4000",
    meaning: "The service's port. dev-store and the example app get the next two. 0: free ports.",
    neededBy: "machines where one of the three is in use",
  },
  DATABASE_URL: {
    value: "as the service's",
    ifUnset: "a PostgreSQL from npm in the data folder",
    meaning: "Your own PostgreSQL.",
    neededBy: "tests with another PostgreSQL",
  },
};

type Name = keyof typeof settings | (typeof passedOn.service)[number] | (typeof passedOn.example)[number];
/** Only settings that docs/settings.md has can be read. */
type Environment = Readonly<Partial<Record<Name, string | undefined>>>;

/** @throws {LocalError} if a setting is wrong; the message names the setting */
export function readSettings(env: Environment, { programs, dataDir }: Installation): LocalSettings {
  const port = readPort(env.PORT, programs);
  return {
    programs,
    dataDir: resolve(env.STOWAGE_DATA_DIR || dataDir),
    ports:
      port === 0
        ? { service: 0, store: 0, example: 0 }
        : { service: port, store: port + 1, example: port + 2 },
    databaseUrl: env.DATABASE_URL || undefined,
    storage: readStorage(env),
    serviceSettings: pick(env, SERVICE_SETTINGS),
    exampleSettings: pick(env, EXAMPLE_SETTINGS),
  };
}

function readPort(text = "4000", { example }: Programs): number {
  const port = Number(text || "4000");
  if (Number.isInteger(port) && port >= 0 && port <= 65533) return port;
  const others = example ? "the two ports that follow it" : "the port that follows it";
  throw new LocalError(
    `PORT must be a whole number from 1 to 65533, or 0 for free ports. Stowage also uses ${others}.`,
  );
}

function readStorage(env: Environment): Record<string, string> | undefined {
  const given = pick(env, [...STORAGE_REQUIRED, ...STORAGE_OPTIONAL]);
  if (Object.keys(given).length === 0) return undefined;
  const { STORAGES_FILE: file } = given;
  // Absolute, because commands run in other folders.
  if (file) return { ...readNamedKeys(file, env), ...given, STORAGES_FILE: resolve(file) };
  const missing = STORAGE_REQUIRED.filter((name) => !given[name]);
  if (missing.length === 0) return given;
  throw new LocalError(
    `To use your own S3 storage, set all of ${STORAGE_REQUIRED.join(", ")}. Missing: ${missing.join(", ")}.`,
  );
}

/** The keys of the storages are in variables that the file names. The service says what is wrong with a file. */
function readNamedKeys(file: string, env: Readonly<Record<string, string | undefined>>) {
  const named: Record<string, string> = {};
  const read = (member: string, name: unknown) => {
    if (!member.endsWith("_env") || typeof name !== "string") return;
    const value = env[name];
    if (value) named[name] = value;
  };
  try {
    const content = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
    JSON.parse(content, (member, value: unknown) => (read(member, value), value));
  } catch {
    return {};
  }
  return named;
}

function pick(env: Environment, names: readonly Name[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}
