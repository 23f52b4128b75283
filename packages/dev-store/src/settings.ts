import type { NotifyOptions } from "./notify/notifier.js";
import { requireBucketName } from "./storage/bucket-name.js";

/** The environment variables: the first table of README.md. A test compares them. */
export const variables = {
  DEV_STORE_DIR: { default: "required", meaning: "the data folder, created if missing" },
  DEV_STORE_ACCESS_KEY_ID: { default: "required", meaning: "letters, digits, `-` and `_`" },
  DEV_STORE_SECRET_ACCESS_KEY: { default: "required", meaning: "a text" },
  DEV_STORE_HOST: { default: "`127.0.0.1`", meaning: "the address to listen on" },
  DEV_STORE_PORT: { default: "a free port", meaning: "the port to listen on, 0 to 65535" },
  DEV_STORE_REGION: { default: "`us-east-1`", meaning: "the region that signatures must name" },
  DEV_STORE_BUCKETS: { default: "none", meaning: "names, separated by commas; created if missing" },
  DEV_STORE_PUBLIC_BUCKETS: { default: "none", meaning: "the same. Everyone can read their objects" },
  DEV_STORE_NOTIFY_URL: {
    default: "none",
    meaning: "receives a notification of each written or removed object",
  },
  DEV_STORE_NOTIFY_SECRET: { default: "none", meaning: "sent as `Authorization: Bearer`" },
};

type Name = keyof typeof variables;
/** Only variables that README.md describes can be read. */
type Environment = Readonly<Partial<Record<Name, string | undefined>>>;

/** The settings of the process. */
export interface Settings {
  readonly dir: string;
  readonly host: string;
  readonly port: number;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  readonly buckets: string[];
  readonly publicBuckets: string[];
  readonly notify: NotifyOptions | undefined;
}

/** @throws Error that names the wrong variable; its message never contains a secret */
export function readSettings(env: Environment): Settings {
  const required = (name: Name): string => {
    const value = env[name]?.trim();
    if (!value) throw new Error(`${name} is not set.`);
    return value;
  };
  const port = env.DEV_STORE_PORT?.trim() || "0";
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new Error(`DEV_STORE_PORT must be a number from 0 to 65535, not '${port}'.`);
  const accessKeyId = required("DEV_STORE_ACCESS_KEY_ID");
  if (!/^[\w-]+$/.test(accessKeyId))
    throw new Error("DEV_STORE_ACCESS_KEY_ID may contain only letters, digits, - and _.");
  return {
    dir: required("DEV_STORE_DIR"),
    host: env.DEV_STORE_HOST?.trim() || "127.0.0.1",
    port: Number(port),
    accessKeyId,
    secretAccessKey: required("DEV_STORE_SECRET_ACCESS_KEY"),
    region: env.DEV_STORE_REGION?.trim() || "us-east-1",
    buckets: readBuckets(env, "DEV_STORE_BUCKETS"),
    publicBuckets: readBuckets(env, "DEV_STORE_PUBLIC_BUCKETS"),
    notify: readNotify(env),
  };
}

function readBuckets(env: Environment, variable: Name): string[] {
  const names = (env[variable] ?? "").split(",").flatMap((name) => name.trim() || []);
  for (const name of names)
    try {
      requireBucketName(name);
    } catch {
      throw new Error(`${variable} names '${name}', which is not a valid bucket name.`);
    }
  return names;
}

function readNotify(env: Environment): NotifyOptions | undefined {
  const url = env.DEV_STORE_NOTIFY_URL?.trim();
  if (!url) return undefined;
  const { protocol, username, password } = URL.canParse(url) ? new URL(url) : { protocol: "" };
  if ((protocol !== "http:" && protocol !== "https:") || username || password)
    throw new Error("DEV_STORE_NOTIFY_URL must be an http or https URL without user and password.");
  return { url, secret: env.DEV_STORE_NOTIFY_SECRET?.trim() || undefined };
}
