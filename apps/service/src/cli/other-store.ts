import type { OtherBucket } from "#compose-import.js";
import { findProvider } from "#object-store/providers.js";
import { ConfigError, type Environment, parseSettings } from "#settings/parse-settings.js";
import { storageSettings } from "#settings/storage-config.js";
import type { Skipped } from "#import/skipped.js";
import type { CommonOptions } from "./command.js";
import { printJson, printTable } from "./print.js";

/** Options that say where another store is. */
export interface OtherStoreOptions extends CommonOptions {
  endpoint?: string;
  region: string;
  /** @default what the provider of the endpoint takes, as far as it is known */
  maxParts?: number;
}

/** The names of the environment variables that have the keys of the other bucket. */
export interface KeyNames {
  id: string;
  secret: string;
}

/**
 * Reads the address of a bucket.
 *
 * @param text such as `s3://bucket/prefix`
 * @param option that has the text, for messages
 * @throws {ConfigError}
 */
export function readOtherBucket(
  env: Environment,
  text: string,
  option: string,
  { region, endpoint = `https://s3.${region}.amazonaws.com`, maxParts }: OtherStoreOptions,
  names: KeyNames,
): OtherBucket {
  const { bucket, prefix } = readPlace(text, "s3", option);
  const [id, secret] = [env[names.id] || undefined, env[names.secret] || undefined];
  if ((id === undefined) !== (secret === undefined))
    throw new ConfigError(
      `Set ${names.id} and ${names.secret}, or neither for the credentials of the platform.`,
    );
  const settings = {
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: id,
    S3_SECRET_ACCESS_KEY: secret,
    S3_MAX_PARTS: (maxParts ?? findProvider(endpoint)?.provider.maxParts)?.toString(),
    S3_TIMEOUT_MS: env["S3_TIMEOUT_MS"],
  };
  const partOf: Record<string, string> = {
    S3_BUCKET: `The bucket of ${option}`,
    S3_ENDPOINT: "--endpoint",
    S3_MAX_PARTS: "--max-parts",
  };
  const config = parseSettings(storageSettings, settings, (name) => partOf[name] ?? name);
  return { kind: "s3", config, prefix };
}

/** @throws {ConfigError} unless the text is `<scheme>://bucket` or `<scheme>://bucket/prefix` */
export function readPlace(text: string, scheme: string, option: string): { bucket: string; prefix: string } {
  const [, bucket, prefix = ""] = new RegExp(`^${scheme}://([^/]+)(?:/(.*))?$`, "s").exec(text) ?? [];
  if (bucket === undefined) throw new ConfigError(`${option} must be ${scheme}://BUCKET/PREFIX.`);
  return { bucket, prefix };
}

/** Prints what a command has not copied. The keys of objects may have any character. */
export function printSkipped(skipped: Skipped[]): void {
  if (skipped.length === 0) return;
  printTable(
    ["COUNT", "REASON", "EXAMPLE"],
    skipped.map(({ reason, count, examples }) => [count, reason, examples[0] ?? ""]),
  );
}

/** Says how far a command is. */
export function createReporter({ json }: CommonOptions, step: string) {
  return {
    onProgress: ({ files, bytes }: { files: number; bytes: number }) =>
      json ? printJson({ step, files, bytes }) : console.log(`${files} files, ${bytes} bytes`),
    onSending: (reason: string) =>
      json
        ? printJson({ step: "sending", reason })
        : console.log(
            `Storage does not copy from bucket to bucket (${reason}), so this command reads and sends the objects`,
          ),
  };
}

/** Something was not copied. */
export const EXIT_CODE_LEFT = 2;
