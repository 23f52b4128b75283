import { snakeKeys } from "@stowage/schemas";
import { type Command, Option } from "commander";
import { composeStorage } from "#compose.js";
import { type Environment, readStorageConfig } from "#config.js";
import { applyCors } from "#doctor/apply-cors.js";
import { origins } from "./arguments.js";
import { type CommonOptions, operatorCommand, using } from "./operate.js";
import { printJson, printTable } from "./print.js";

interface Options extends CommonOptions {
  origin: string[];
}

/** `stowage cors apply --origin …` */
export function corsApplyCommand(env: Environment): Command {
  return operatorCommand("apply", "let pages of these origins upload to the bucket and download from it")
    .addOption(
      new Option("--origin <origin>", "a page's origin; repeatable; replaces those applied before")
        .argParser(origins)
        .makeOptionMandatory(),
    )
    .action(async (options: Options) => {
      const store = composeStorage(readStorageConfig(env));
      const rules = await using({ deps: { store }, close: async () => store.close() }, (deps) =>
        applyCors(deps, options.origin),
      );
      if (options.json) return printJson({ rules: rules.map(snakeKeys) });
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
    });
}
