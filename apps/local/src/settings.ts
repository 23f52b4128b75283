import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** What a person did wrong or must do: shown as one sentence, without a stack. */
export class LocalError extends Error {
  override readonly name = "LocalError";
}

export interface LocalSettings {
  dataDir: string;
  /** 0: take a free one. */
  ports: { service: number; store: number; example: number };
  /** Not given: PostgreSQL from npm, under the data folder. */
  databaseUrl: string | undefined;
  /** S3_* of a storage of one's own, passed on as they are; not given: dev-store, under the data folder. */
  storage: Record<string, string> | undefined;
  /** Settings of the service that have nothing to do with being local. */
  passedOn: Record<string, string>;
}

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const STORAGE = ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;
const STORAGE_OPTIONAL = ["S3_REGION", "S3_PUBLIC_ENDPOINT", "S3_TIMEOUT_MS"] as const;
const PASSED_ON = [
  "DATABASE_POOL_SIZE",
  "DATABASE_TIMEOUT_MS",
  "DEFAULT_QUOTA_BYTES",
  "RATE_LIMIT_PER_MINUTE",
  "SWEEP_INTERVAL_MS",
  "DASHBOARD_URL",
  "SIGN_IN_SECRET",
  "TRUSTED_PROXIES",
  "STORAGE_EVENTS_SECRET",
  "STORAGE_EVENTS_SNS_TOPICS",
  "LOG_LEVEL",
];

/** @throws {LocalError} naming the setting that is wrong */
export function readSettings(env: Record<string, string | undefined>): LocalSettings {
  const port = readPort(env["PORT"]);
  return {
    dataDir: resolve(env["STOWAGE_DATA_DIR"] || join(ROOT, ".stowage")),
    ports:
      port === 0
        ? { service: 0, store: 0, example: 0 }
        : { service: port, store: port + 1, example: port + 2 },
    databaseUrl: env["DATABASE_URL"] || undefined,
    storage: readStorage(env),
    passedOn: pick(env, PASSED_ON),
  };
}

function readPort(text = "4000"): number {
  const port = Number(text || "4000");
  if (Number.isInteger(port) && port >= 0 && port <= 65533) return port;
  throw new LocalError(
    "The setting PORT must be a whole number from 1 to 65533: the two ports after it are used too.",
  );
}

function readStorage(env: Record<string, string | undefined>): Record<string, string> | undefined {
  const given = pick(env, [...STORAGE, ...STORAGE_OPTIONAL]);
  if (Object.keys(given).length === 0) return undefined;
  const missing = STORAGE.filter((name) => !given[name]);
  if (missing.length === 0) return given;
  throw new LocalError(
    `Storage of your own needs ${STORAGE.join(", ")}: ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not set.`,
  );
}

function pick(env: Record<string, string | undefined>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}
