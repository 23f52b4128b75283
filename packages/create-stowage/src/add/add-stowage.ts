import { appendFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { CreateError } from "../create-error.js";
import { planEnvFile, writeEnvFile } from "../env-file.js";
import { type NewFile, writeNewFiles } from "../files.js";
import { gitStateOf } from "../git.js";
import { addCommand, type PackageManager, runPackageManager } from "../package-manager.js";
import { ownVersion } from "../package-root.js";
import { readTextIfExists } from "../read-text.js";
import { type App, findApp } from "./app.js";
import { expressFiles, expressTasks } from "./express-files.js";
import { nextFiles, nextTasks } from "./next-files.js";

export interface AddOptions {
  folder: string;
  manager: PackageManager;
  install: boolean;
}

/** What was done, and what a person has to do. Each entry is a sentence for people. None has a key in it. */
export interface AddReport {
  app: App["kind"];
  done: string[];
  kept: string[];
  tasks: string[];
}

/**
 * Adds Stowage to the Next or Express app in a folder. It overwrites no file, and a second run changes nothing.
 *
 * @throws {CreateError} before anything is written, if Stowage cannot be added to this app
 */
export async function addStowage({ folder, manager, install }: AddOptions): Promise<AddReport> {
  const app = await findApp(folder);
  const envFile = app.kind === "next" ? ".env.local" : ".env";
  const files = app.kind === "next" ? await nextFiles(app) : await expressFiles(app);
  const env = await planEnvFile(folder, envFile);
  const gitState = await gitStateOf(folder, envFile);
  if (gitState === "tracked" && env.text !== undefined) {
    throw new CreateError(
      `Git tracks ${envFile}, so an API key in it would be committed. Run \`git rm --cached ${envFile}\`, and run this again.`,
    );
  }

  const done: string[] = [];
  const isKept = ({ path }: NewFile) => existsSync(join(folder, path));
  const kept = files.filter(isKept).map(({ path }) => path);
  const added = files.filter((file) => !isKept(file));
  await writeNewFiles(folder, added);
  done.push(...added.map(({ path }) => `added ${path}`));
  if (gitState === "not ignored") {
    // Before the key is written: Git must never see a file with it.
    await appendLine(join(folder, ".gitignore"), envFile);
    done.push(`added ${envFile} to .gitignore`);
  }
  if (env.text === undefined) {
    kept.push(envFile);
  } else {
    await writeEnvFile(folder, envFile, env.text);
    done.push(
      `added STOWAGE_URL and STOWAGE_API_KEY to ${envFile}${env.state === "key" ? ", with the demo project's key" : ""}`,
    );
  }

  const tasks = app.kind === "next" ? nextTasks(app) : expressTasks(app);
  if (env.state !== "key") {
    tasks.unshift(
      `Run \`npx stowage\` in this folder, and then this command again. Or put your own key into ${envFile}.`,
    );
  }
  const missing = missingPackages(app);
  if (missing.length > 0) {
    const command = addCommand(manager, missing);
    if (install) {
      await runPackageManager(command, folder);
      done.push(`installed ${missing.join(", ")}`);
    } else {
      tasks.unshift(`Run \`${command.join(" ")}\`.`);
    }
  }
  return { app: app.kind, done, kept, tasks };
}

function missingPackages(app: App): string[] {
  const names =
    app.kind === "next" || app.hasReactPage ? ["@stowage/server", "@stowage/react"] : ["@stowage/server"];
  return names.filter((name) => !app.dependencies.has(name)).map((name) => `${name}@^${ownVersion()}`);
}

async function appendLine(file: string, line: string): Promise<void> {
  const text = (await readTextIfExists(file)) ?? "";
  await appendFile(file, `${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`);
}
