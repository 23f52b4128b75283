import { snakeKeys } from "@stowage/schemas";
import { Command, Option } from "commander";
import { composeCorsCommand } from "#compose-cli.js";
import { type Environment, readStorageConfig, type StorageConfig } from "#config.js";
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
}

function applyCommand(env: Environment): Command {
  return createCommand("apply", "let pages of these origins upload to the bucket and download from it")
    .addOption(
      new Option("--origin <origin>", "origin of your pages; repeatable; replaces the origins applied before")
        .argParser(origins)
        .makeOptionMandatory(),
    )
    .action(async (options: ApplyOptions) => {
      const config = readStorageConfig(env);
      const applied = await withDeps(composeCorsCommand(config), (deps) =>
        applyCors(deps, options.origin),
      ).catch((error: unknown) => {
        if (error instanceof CorsRefused) return error;
        throw error;
      });
      if (applied instanceof CorsRefused) return printRefusal(applied, config, options);
      const { rules, publicRules } = applied;
      if (options.json)
        return printJson({
          rules: rules.map(snakeKeys),
          ...(publicRules && { public_rules: publicRules.map(snakeKeys) }),
        });
      printRules(rules);
      if (publicRules === null) return;
      console.log("\nS3_PUBLIC_BUCKET:");
      printRules(publicRules);
    });
}

/** Says why storage did not take the rules, and prints them in the form in which its provider takes them. */
function printRefusal(refusal: CorsRefused, config: StorageConfig, { origin, json }: ApplyOptions): void {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_PUBLIC_BUCKET: publicBucket = null } = config;
  const forms = writePastedRules({ endpoint, bucket, publicBucket }, origin);
  const reason = reasonOf(refusal);
  process.exitCode = 1;
  if (json)
    return printJson({
      refused: { status: refusal.status, code: refusal.code, reason },
      forms: forms.map(snakeKeys),
    });
  console.error(reason);
  for (const { store, setBy, bucket, form } of forms)
    console.log(`\n# ${bucket}${store ? `, ${store}` : ""}; set by: ${setBy}\n${form}`);
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
