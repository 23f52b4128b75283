import { snakeKeys } from "@stowage/schemas";
import { Command, Option } from "commander";
import { composeCorsCommand } from "#compose-cli.js";
import type { Environment } from "#settings/parse-settings.js";
import { type NamedStorage, type StorageConfig, storagesOf } from "#settings/storage-config.js";
import { readStorageConfig } from "#config.js";
import { applyCors, CorsRefused } from "#doctor/apply-cors.js";
import { writePastedRules } from "#doctor/cors-forms.js";
import type { CorsRule } from "#object-store/object-store.js";
import { origins } from "./arguments.js";
import { type CommonOptions, createCommand, withDeps } from "./command.js";
import { printJson, printTable } from "./print.js";

/** `stowage cors …` */
export function corsCommand(env: Environment): Command {
  return new Command("cors")
    .description("manage the CORS rules of the buckets")
    .addCommand(applyCommand(env));
}

interface ApplyOptions extends CommonOptions {
  origin: string[];
  storage?: string;
}

function applyCommand(env: Environment): Command {
  return createCommand("apply", "let pages of these origins upload to the bucket and download from it")
    .addOption(
      new Option("--origin <origin>", "origin of your pages; repeatable; replaces the origins applied before")
        .argParser(origins)
        .makeOptionMandatory(),
    )
    .option("--storage <name>", "only the buckets of this storage of STORAGES_FILE")
    .action(async (options: ApplyOptions) => {
      const storages = storagesOf(readStorageConfig(env), options.storage);
      const results = [];
      for (const storage of storages)
        results.push({ storage: storage.name, ...(await applyTo(storage, options)) });
      if (!options.json) return;
      const [{ storage, ...only }] = results as [(typeof results)[number]];
      printJson(storage === null ? only : { storages: results });
    });
}

/** Prints what it does, unless as JSON. @returns the same for JSON */
async function applyTo({ name, config }: NamedStorage, options: ApplyOptions): Promise<object> {
  const { origin, json } = options;
  if (name !== null && !json) console.log(`Storage ${name}:`);
  const applied = await withDeps(composeCorsCommand(config), (deps) => applyCors(deps, origin)).catch(
    (error: unknown) => {
      if (error instanceof CorsRefused) return error;
      throw error;
    },
  );
  if (applied instanceof CorsRefused) return reportRefusal(applied, config, options);
  const { rules, publicRules } = applied;
  if (!json) {
    printRules(rules);
    if (publicRules !== null) {
      console.log(`\n${name === null ? "S3_PUBLIC_BUCKET" : "public_bucket"}:`);
      printRules(publicRules);
    }
  }
  return {
    rules: rules.map(snakeKeys),
    ...(publicRules && { public_rules: publicRules.map(snakeKeys) }),
  };
}

/** Says why storage did not take the rules, and prints them in the form in which its provider takes them. */
function reportRefusal(refusal: CorsRefused, config: StorageConfig, { origin, json }: ApplyOptions): object {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_PUBLIC_BUCKET: publicBucket = null } = config;
  const forms = writePastedRules({ endpoint, bucket, publicBucket }, origin);
  const reason = reasonOf(refusal);
  process.exitCode = 1;
  if (!json) {
    console.error(reason);
    for (const { store, setBy, bucket, form } of forms)
      console.log(`\n# ${bucket}${store ? `, ${store}` : ""}; set by: ${setBy}\n${form}`);
  }
  return {
    refused: { status: refusal.status, code: refusal.code, reason },
    forms: forms.map(snakeKeys),
  };
}

function reasonOf({ status, message }: CorsRefused): string {
  if (status === 403)
    return `These S3 keys may not change the CORS rules (${message}). Run this command once with the keys of the bucket's owner, or set the rules yourself.`;
  if (status === 400)
    return `Storage does not accept the rules in the form of S3 (${message}). Set them in the form of the provider.`;
  return `Storage has no API for CORS rules (${message}). Set them where its provider keeps them.`;
}

function printRules(rules: CorsRule[]): void {
  printTable(
    ["RULE", "METHODS", "HEADERS", "EXPOSED", "MAX AGE", "ORIGINS"],
    rules.map((rule) => [
      rule.id ?? "-",
      rule.methods.join(","),
      rule.headers.join(","),
      rule.exposedHeaders.join(","),
      rule.maxAgeSeconds ?? "-",
      rule.origins.join(" "),
    ]),
  );
}
