import { readFileSync } from "node:fs";

export interface Settings {
  host: string;
  port: number;
  /** Where the Stowage service answers. */
  stowageUrl: string;
  apiKey: string;
}

/** A setting that is missing or wrong: one sentence for the person who starts this. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/**
 * STOWAGE_URL and STOWAGE_API_KEY, or STOWAGE_DEMO_FILE, the file that `npm start` keeps the demo project's in.
 *
 * @throws {SettingsError}
 */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const port = Number(env["PORT"] || "4002");
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new SettingsError("PORT must be a port's number.");
  const demo = env["STOWAGE_DEMO_FILE"] ? readDemo(env["STOWAGE_DEMO_FILE"]) : undefined;
  const apiKey = env["STOWAGE_API_KEY"] || demo?.api_key;
  if (!apiKey)
    throw new SettingsError("Set STOWAGE_API_KEY, or STOWAGE_DEMO_FILE to a file that has an api_key.");
  return {
    host: env["HOST"] || "127.0.0.1",
    port,
    stowageUrl: env["STOWAGE_URL"] || demo?.base_url || "http://localhost:4000",
    apiKey,
  };
}

function readDemo(file: string): { base_url?: string; api_key: string } {
  let demo: { base_url?: unknown; api_key?: unknown } | null;
  try {
    demo = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // The parser's own words would quote the file, which holds a key.
    throw new SettingsError(`STOWAGE_DEMO_FILE names ${file}, which cannot be read as JSON.`);
  }
  const { base_url: baseUrl, api_key: apiKey } = demo ?? {};
  if (typeof apiKey !== "string") {
    throw new SettingsError(`STOWAGE_DEMO_FILE names ${file}, which has no api_key.`);
  }
  return typeof baseUrl === "string" ? { base_url: baseUrl, api_key: apiKey } : { api_key: apiKey };
}
