import { snakeKeys } from "@stowage/schemas";
import { Command, Option } from "commander";
import { composeCorsCommand } from "#compose-cli.js";
import { type Environment, readStorageConfig } from "#config.js";
import { applyCors } from "#doctor/apply-cors.js";
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
      const { rules, publicRules } = await withDeps(composeCorsCommand(readStorageConfig(env)), (deps) =>
        applyCors(deps, options.origin),
      );
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
