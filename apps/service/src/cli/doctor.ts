import { snakeKeys } from "@stowage/schemas";
import type { Command } from "commander";
import { composeDoctorCommand } from "#compose-cli.js";
import type { Environment } from "#settings/parse-settings.js";
import { type NamedStorage, storagesOf } from "#settings/storage-config.js";
import { nameMembers } from "#settings/storages-file.js";
import { readDatabaseConfig, readStorageConfig } from "#config.js";
import { checkAddressing } from "#doctor/check-addressing.js";
import { checkDatabase } from "#doctor/check-database.js";
import { checkOidc } from "#doctor/check-oidc.js";
import { checkProvider } from "#doctor/check-provider.js";
import { runProbes } from "#doctor/run-probes.js";
import type { Finding } from "#doctor/probe.js";
import { httpUrl, origins } from "./arguments.js";
import { type CommonOptions, createCommand, withDeps } from "./command.js";
import { printJson, visible } from "./print.js";

interface Options extends CommonOptions {
  origin?: string[];
  service?: string;
  storage?: string;
}

const EXIT_CODE_WARNINGS = 2;
const EXIT_CODE_FAILURES = 3;
const NAME_WIDTH = 26;

/** `stowage doctor`: exits with 0 if all checks pass, with 2 after warnings and checks that were not possible, and with 3 if uploads do not work. */
export function doctorCommand(env: Environment): Command {
  return createCommand("doctor", "check the configured database and storage for what Stowage needs")
    .option("--origin <origin>", "origin of your pages; repeatable", origins)
    .option("--storage <name>", "only this storage of STORAGES_FILE")
    .option(
      "--service <url>",
      "address of the running service, to check its endpoint for storage events",
      httpUrl,
    )
    .action(async (options: Options) => {
      const storages = storagesOf(readStorageConfig(env), options.storage);
      const database = env["DATABASE_URL"] ? readDatabaseConfig(env) : null;
      const findings: (Finding & { storage?: string })[] = [];
      const examine = ({ name, config }: NamedStorage, isFirst: boolean) =>
        withDeps(composeDoctorCommand(config, isFirst ? database : null), async (deps) => {
          if (name !== null && !options.json) console.log(`${isFirst ? "" : "\n"}Storage ${name}:`);
          const examination = {
            origins: options.origin ?? [],
            credentials:
              config.S3_ACCESS_KEY_ID === undefined
                ? deps.credentials
                : {
                    accessKeyId: config.S3_ACCESS_KEY_ID,
                    hasSessionToken: Boolean(env["S3_SESSION_TOKEN"] || env["AWS_SESSION_TOKEN"]),
                  },
            events: {
              secret: env["STORAGE_EVENTS_SECRET"] || null,
              serviceUrl: options.service ?? null,
            },
          };
          const add = (finding: Finding) => {
            const named = name === null ? finding : { ...withMembers(finding), storage: name };
            findings.push(named);
            if (!options.json) console.log(toLines(named));
          };
          if (isFirst) {
            add(await checkDatabase(deps));
            // Most installations have no provider, so only a configured one is worth a line.
            if (env["OIDC_ISSUER"]) add(await checkOidc(env["OIDC_ISSUER"]));
          }
          const provider = checkProvider(config.S3_ENDPOINT, {
            region: config.S3_REGION,
            maxParts: config.S3_MAX_PARTS,
          });
          if (provider) add(provider);
          for (const endpoint of deps.endpoints) {
            const addressing = await checkAddressing(endpoint);
            if (addressing) add(addressing);
          }
          for await (const finding of runProbes(deps, examination)) add(finding);
        });
      for (const [index, storage] of storages.entries()) await examine(storage, index === 0);
      if (options.json) printJson({ findings: findings.map(snakeKeys) });
      process.exitCode = exitCodeOf(findings);
    });
}

function exitCodeOf(findings: Finding[]): number {
  const has = (verdict: Finding["verdict"]) => findings.some((finding) => finding.verdict === verdict);
  if (has("fail")) return EXIT_CODE_FAILURES;
  return has("warn") || has("skip") ? EXIT_CODE_WARNINGS : 0;
}

/** With STORAGES_FILE, the service does not read the settings. */
function withMembers({ found, whatToDo, ...finding }: Finding): Finding {
  return { ...finding, found: nameMembers(found), whatToDo: whatToDo && nameMembers(whatToDo) };
}

function toLines({ verdict, name, found, whatToDo }: Finding): string {
  const line = `${verdict.padEnd(4)}  ${name.padEnd(NAME_WIDTH)}  ${visible(found)}`;
  return whatToDo === null ? line : `${line}\n${" ".repeat(NAME_WIDTH + 8)}→ ${visible(whatToDo)}`;
}
