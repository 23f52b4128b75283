import { readFileSync } from "node:fs";

export interface Settings {
  host: string;
  port: number;
  /** The address of the Stowage service. */
  stowageUrl: string;
  apiKey: string;
  /** The signing secret of a webhook endpoint. Without it, the app receives no webhooks. */
  webhookSecret?: string;
}

/** A setting is missing or wrong. The message is one sentence for the person who starts the app. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** The settings of this app, as docs/settings.md describes them. */
export const settings = {
  STOWAGE_API_KEY: {
    value: "secret",
    ifUnset: "required without `STOWAGE_DEMO_FILE`",
    meaning: "The API key of the project.",
    neededBy: "apps that run without `npm start`",
  },
  STOWAGE_URL: {
    value: "URL",
    ifUnset: "`http://localhost:4000`",
    meaning: "The service.",
    neededBy: "apps that run without `npm start`",
  },
  STOWAGE_DEMO_FILE: {
    value: "path",
    ifUnset: "none",
    meaning: "A JSON file with `base_url` and `api_key`, instead of the two settings. `npm start` sets it.",
    neededBy: "`npm start`",
  },
  STOWAGE_WEBHOOK_SECRET: {
    value: "secret",
    ifUnset: "no webhooks",
    meaning: "The signing secret of a webhook endpoint whose URL ends in `/webhooks/stowage`.",
    neededBy: "[webhooks](example.md)",
  },
  HOST: {
    value: "address",
    ifUnset: "127.0.0.1",
    meaning: "Where the app listens.",
    neededBy: "apps that other machines call",
  },
  PORT: {
    value: "port, 0 to 65535",
    ifUnset: "4002",
    meaning: "Where the app listens.",
    neededBy: "machines where 4002 is in use",
  },
};

/** Only settings that docs/settings.md has can be read. */
type Environment = Readonly<Partial<Record<keyof typeof settings, string | undefined>>>;

/**
 * Reads STOWAGE_URL and STOWAGE_API_KEY, or STOWAGE_DEMO_FILE: the file in which `npm start` stores these values of its demo project.
 *
 * @throws {SettingsError}
 */
export function readSettings(env: Environment): Settings {
  const port = Number(env.PORT || "4002");
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new SettingsError("PORT must be a port number from 0 to 65535.");
  const demo = env.STOWAGE_DEMO_FILE ? readDemo(env.STOWAGE_DEMO_FILE) : undefined;
  const apiKey = env.STOWAGE_API_KEY || demo?.api_key;
  if (!apiKey)
    throw new SettingsError(
      "Set STOWAGE_API_KEY, or set STOWAGE_DEMO_FILE to a JSON file that has an api_key.",
    );
  return {
    host: env.HOST || "127.0.0.1",
    port,
    stowageUrl: env.STOWAGE_URL || demo?.base_url || "http://localhost:4000",
    apiKey,
    ...(env.STOWAGE_WEBHOOK_SECRET && { webhookSecret: env.STOWAGE_WEBHOOK_SECRET }),
  };
}

function readDemo(file: string): { base_url?: string; api_key: string } {
  let demo: { base_url?: unknown; api_key?: unknown } | null;
  try {
    demo = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // The parser's message would quote the file, which contains the API key.
    throw new SettingsError(`STOWAGE_DEMO_FILE is ${file}, which cannot be read as JSON.`);
  }
  const { base_url: baseUrl, api_key: apiKey } = demo ?? {};
  if (typeof apiKey !== "string") {
    throw new SettingsError(`STOWAGE_DEMO_FILE is ${file}, which has no api_key.`);
  }
  return typeof baseUrl === "string" ? { base_url: baseUrl, api_key: apiKey } : { api_key: apiKey };
}
