#!/usr/bin/env node
import { StowageError } from "@stowage/schemas";
import { Command, InvalidArgumentError } from "commander";
import { composeProjects } from "./compose.js";
import { ConfigError, readDatabaseConfig } from "./config.js";
import { migrate } from "./db/migrate.js";
import { createProject, type ProjectDeps, type ProjectWithKey } from "./projects/create-project.js";
import { listProjects } from "./projects/list-projects.js";
import { regenerateKey } from "./projects/regenerate-key.js";

const program = new Command("stowage")
  .description("Operates a Stowage service. Reads DATABASE_URL.")
  .showHelpAfterError();

program
  .command("migrate")
  .description("bring the database to this version's schema")
  .action(async () => {
    const config = readDatabaseConfig(process.env);
    await migrate(config.DATABASE_URL, config.DATABASE_TIMEOUT_MS);
  });

const project = program.command("project").description("projects and their keys");

project
  .command("create <name>")
  .description("create a project; its key is shown this once")
  .option("--quota-bytes <n>", "bytes each tenant may use", bytes)
  .option("--max-file-bytes <n>", "largest file", bytes)
  .option("--require-size", "refuse uploads that do not announce their size")
  .option("--json", "print JSON")
  .action(
    (
      name: string,
      options: { quotaBytes?: number; maxFileBytes?: number; requireSize?: true; json?: true },
    ) =>
      withProjects(async (deps) => {
        const { quotaBytes, maxFileBytes, requireSize } = options;
        const created = await createProject(deps, {
          name,
          ...(quotaBytes === undefined ? {} : { defaultQuotaBytes: quotaBytes }),
          ...(maxFileBytes === undefined ? {} : { maxFileBytes }),
          ...(requireSize ? { requireSize } : {}),
        });
        printKey(created, options);
      }),
  );

project
  .command("list")
  .description("list all projects")
  .option("--json", "print JSON")
  .action((options: { json?: true }) =>
    withProjects(async (deps) => {
      const all = await listProjects(deps);
      if (options.json)
        return print(all.map((p) => ({ project_ref: p.ref, name: p.name, api_key: p.apiKey })));
      for (const { ref, name, apiKey } of all) console.log(`${ref}  ${apiKey}  ${name}`);
    }),
  );

project
  .command("regenerate-key <project_ref>")
  .description("give a project a new key; the old one stops at once")
  .option("--json", "print JSON")
  .action((ref: string, options: { json?: true }) =>
    withProjects(async (deps) => printKey(await regenerateKey(deps, ref), options)),
  );

async function withProjects(work: (deps: ProjectDeps) => Promise<void>): Promise<void> {
  const { deps, close } = composeProjects(readDatabaseConfig(process.env));
  try {
    await work(deps);
  } finally {
    await close();
  }
}

function printKey({ ref, name, apiKey }: ProjectWithKey, options: { json?: true }): void {
  if (options.json) return print({ project_ref: ref, name, api_key: apiKey });
  console.log(`Project ${name} (${ref})\nAPI key, shown this once: ${apiKey}`);
}

function print(value: unknown): void {
  console.log(JSON.stringify(value));
}

function bytes(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("must be a whole number of bytes");
  return Number(text);
}

program.parseAsync().catch((error: unknown) => {
  const expected = error instanceof ConfigError || error instanceof StowageError;
  console.error(expected ? error.message : error);
  process.exitCode = 1;
});
