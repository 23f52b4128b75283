import { Command } from "commander";
import { commandLineActor, type ProjectActor } from "#audit/caller.js";
import { composeDatabaseCommands, composeOperatorCommands } from "#compose-cli.js";
import type { Environment } from "#settings/parse-settings.js";
import { readDatabaseConfig, readOperatorConfig } from "#config.js";
import type { Queries } from "#db/client.js";
import { findProjectByRef } from "#projects/find-project.js";

/** Options that every command has. */
export interface CommonOptions {
  json?: true;
}

/** Creates a command with the common options. If its action throws, the process exits with 1. */
export function createCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option("--json", "print JSON")
    .showHelpAfterError("(use --help for all commands and options)");
}

/** Options of a command for one project. */
export interface ProjectOptions extends CommonOptions {
  /** The project's ref. */
  project: string;
}

/** Creates a command with the common options and `--project`, which is required. */
export function createCommandOfProject(name: string, description: string, what: string): Command {
  return createCommand(name, description).requiredOption("--project <ref>", `project of the ${what}`);
}

/**
 * The command line as the author of a change in a project.
 *
 * @throws {StowageError} `not_found` for an unknown ref; `unavailable`
 */
export async function actorOf(deps: { db: Queries }, projectRef: string): Promise<ProjectActor> {
  return { ...commandLineActor, project: await findProjectByRef(deps, projectRef) };
}

/** Runs `work` for a command that needs only the database. */
export function withDatabase<T>(
  env: Environment,
  work: (deps: ReturnType<typeof composeDatabaseCommands>["deps"]) => Promise<T>,
): Promise<T> {
  return withDeps(composeDatabaseCommands(readDatabaseConfig(env)), work);
}

/** Runs `work` for a command that needs the database and makes links to the dashboard. */
export function withDashboardLinks<T>(
  env: Environment,
  work: (deps: ReturnType<typeof composeOperatorCommands>["deps"]) => Promise<T>,
): Promise<T> {
  return withDeps(composeOperatorCommands(readOperatorConfig(env)), work);
}

/** Runs `work` and then closes its connections, also if it throws. */
export async function withDeps<Deps, T>(
  { deps, close }: { deps: Deps; close(): Promise<void> },
  work: (deps: Deps) => Promise<T>,
): Promise<T> {
  try {
    return await work(deps);
  } finally {
    await close();
  }
}
