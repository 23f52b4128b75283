import { basename, relative, resolve } from "node:path";
import { addStowage } from "./add/add-stowage.js";
import { type AddCommand, type CreateCommand, HELP, readCommand } from "./arguments.js";
import { createApp } from "./create-app.js";
import { packageManagerIn, packageManagerOf, runPackageManager, runPrefix } from "./package-manager.js";
import { checkName } from "./package-name.js";
import { ownVersion } from "./package-root.js";
import { answersFor } from "./questions.js";
import { templateFor } from "./templates.js";

export interface Environment {
  cwd: string;
  /** Node's version, such as "22.17.0". */
  nodeVersion: string;
  /** npm_config_user_agent, which names the package manager that runs this. */
  userAgent: string | undefined;
  /** Whether a person can answer questions. */
  canAsk: boolean;
  print(text: string): void;
}

/** @throws {CreateError} with a message for the person who ran the command */
export async function run(args: string[], env: Environment): Promise<void> {
  const command = readCommand(args);
  if (command.kind === "help") return env.print(HELP);
  if (command.kind === "version") return env.print(ownVersion());
  if (command.kind === "add") return add(command, env);
  return create(command, env);
}

async function create(command: CreateCommand, env: Environment): Promise<void> {
  if (command.name !== undefined) checkName(command.name);
  if (command.template !== undefined) templateFor(command.template, env.nodeVersion);
  const answers = await answersFor(command, env.canAsk);
  const template = templateFor(answers.template, env.nodeVersion);
  const folder = resolve(env.cwd, answers.folder);
  const name = command.name ?? basename(folder);
  checkName(name);
  const manager = packageManagerOf(env.userAgent);

  const { hasKey } = await createApp({ folder, name, template, manager, force: command.force });
  env.print(`Created ${name} in ${folder}: ${template.title}.`);
  if (command.install) await runPackageManager([manager, "install"], folder);

  const place = relative(env.cwd, folder);
  const steps = [
    ...(place === "" ? [] : [`cd ${/\s/.test(place) ? `"${place}"` : place}`]),
    ...(command.install ? [] : [`${manager} install`]),
    "npx stowage     # the storage: leave it running",
    `${runPrefix(manager)} dev     # in a second terminal`,
  ];
  env.print(["", "Next:", "", ...steps.map((step) => `  ${step}`), ""].join("\n"));
  if (hasKey) env.print("The API key of the demo project that `npx stowage` made is in .env.");
}

async function add(command: AddCommand, env: Environment): Promise<void> {
  const folder = resolve(env.cwd, command.folder);
  const manager = packageManagerIn(folder) ?? packageManagerOf(env.userAgent);
  const { app, done, kept, tasks } = await addStowage({ folder, manager, install: command.install });
  env.print(`${app === "next" ? "Next" : "Express"} app in ${folder}`);
  env.print(list("Done", done.length > 0 ? done : ["nothing: it was all there"]));
  if (kept.length > 0) env.print(list("Kept as they are", kept));
  env.print(
    list(
      "Left to do",
      tasks.map((task, index) => `${index + 1}. ${task}`),
    ),
  );
}

function list(title: string, lines: string[]): string {
  return [`\n${title}:`, ...lines.map((line) => `  ${line}`)].join("\n");
}
