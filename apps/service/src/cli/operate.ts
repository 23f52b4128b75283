import { Command } from "commander";
import { composeOperators, composeProjects } from "#compose.js";
import { type Environment, readDatabaseConfig, readOperatorConfig } from "#config.js";

/** Options that every command has. */
export interface CommonOptions {
  json?: true;
}

/** A command with what all of ours share. An action that throws ends the process with 1. */
export function operatorCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option("--json", "print JSON")
    .showHelpAfterError("(--help says what there is)");
}

type Composed<Deps> = { deps: Deps; close(): Promise<void> };

/** Runs `work` and lets go of what it used, whatever happens. */
export async function using<Deps, T>(
  { deps, close }: Composed<Deps>,
  work: (deps: Deps) => Promise<T>,
): Promise<T> {
  try {
    return await work(deps);
  } finally {
    await close();
  }
}

/** For commands that need the database alone. */
export function withDatabase<T>(
  env: Environment,
  work: (deps: ReturnType<typeof composeProjects>["deps"]) => Promise<T>,
): Promise<T> {
  return using(composeProjects(readDatabaseConfig(env)), work);
}

/** For commands that send people to the dashboard. */
export function withOperators<T>(
  env: Environment,
  work: (deps: ReturnType<typeof composeOperators>["deps"]) => Promise<T>,
): Promise<T> {
  return using(composeOperators(readOperatorConfig(env)), work);
}
