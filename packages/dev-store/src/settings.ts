import type { NotifyOptions } from "./notify/notifier.js";
import { requireBucketName } from "./storage/bucket-name.js";

/** The settings of the process. README.md describes each variable. */
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
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const required = (name: string): string => {
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

function readBuckets(env: Readonly<Record<string, string | undefined>>, variable: string): string[] {
  const names = (env[variable] ?? "").split(",").flatMap((name) => name.trim() || []);
  for (const name of names)
    try {
      requireBucketName(name);
    } catch {
      throw new Error(`${variable} names '${name}', which is not a valid bucket name.`);
    }
  return names;
}

function readNotify(env: Readonly<Record<string, string | undefined>>): NotifyOptions | undefined {
  const url = env.DEV_STORE_NOTIFY_URL?.trim();
  if (!url) return undefined;
  const { protocol, username, password } = URL.canParse(url) ? new URL(url) : { protocol: "" };
  if ((protocol !== "http:" && protocol !== "https:") || username || password)
    throw new Error("DEV_STORE_NOTIFY_URL must be an http or https URL without user and password.");
  return { url, secret: env.DEV_STORE_NOTIFY_SECRET?.trim() || undefined };
}
