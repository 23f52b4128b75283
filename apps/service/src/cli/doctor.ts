import { snakeKeys } from "@stowage/schemas";
import type { Command } from "commander";
import { composeDoctor } from "#compose.js";
import { type Environment, readStorageConfig } from "#config.js";
import { runProbes } from "#doctor/run-probes.js";
import type { Finding } from "#doctor/probe.js";
import { httpUrl, origins } from "./arguments.js";
import { type CommonOptions, operatorCommand, using } from "./operate.js";
import { printJson, visible } from "./print.js";

interface Options extends CommonOptions {
  origin?: string[];
  service?: string;
}

const WARNINGS = 2;
const FAILURES = 3;
const NAME_WIDTH = 26;

/** `stowage doctor`: 0 when all is well, 2 with warnings, 3 when uploads do not work. */
export function doctorCommand(env: Environment): Command {
  return operatorCommand("doctor", "try on the configured store what Stowage relies on")
    .option("--origin <origin>", "a page's origin that uploads come from; repeatable", origins)
    .option("--service <url>", "the running service, to try its endpoint for storage events", httpUrl)
    .action(async (options: Options) => {
      const config = readStorageConfig(env);
      const findings: Finding[] = [];
      await using(composeDoctor(config), async (deps) => {
        const examination = {
          origins: options.origin ?? [],
          credentials: {
            accessKeyId: config.S3_ACCESS_KEY_ID,
            hasSessionToken: Boolean(env["S3_SESSION_TOKEN"] || env["AWS_SESSION_TOKEN"]),
          },
          events: {
            secret: env["STORAGE_EVENTS_SECRET"] || null,
            serviceUrl: options.service ?? null,
          },
        };
        for await (const finding of runProbes(deps, examination)) {
          findings.push(finding);
          if (!options.json) console.log(toLines(finding));
        }
      });
      if (options.json) printJson({ findings: findings.map(snakeKeys) });
      const has = (verdict: Finding["verdict"]) => findings.some((finding) => finding.verdict === verdict);
      process.exitCode = has("fail") ? FAILURES : has("warn") ? WARNINGS : 0;
    });
}

function toLines({ verdict, name, found, whatToDo }: Finding): string {
  const line = `${verdict.padEnd(4)}  ${name.padEnd(NAME_WIDTH)}  ${visible(found)}`;
  return whatToDo === null ? line : `${line}\n${" ".repeat(NAME_WIDTH + 8)}→ ${visible(whatToDo)}`;
}
