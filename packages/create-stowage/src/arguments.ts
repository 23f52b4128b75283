import { parseArgs } from "node:util";
import { CreateError } from "./create-error.js";
import { TEMPLATE_NAMES } from "./templates.js";

export const HELP = `Creates an app whose users upload, list, download and delete files, or adds this to your app.

  npm create stowage@latest [folder] -- [options]
  npm create stowage@latest add [folder]     adds it to the Next or Express app in this folder

Options:
  --template <name>  ${TEMPLATE_NAMES.join(", ")}
  --name <name>      name in package.json; default: the name of the folder
  --yes              asks nothing and uses the defaults
  --force            uses a folder that is not empty; no file is overwritten
  --no-install       installs no packages
  --help, --version`;

export type Command = { kind: "help" } | { kind: "version" } | AddCommand | CreateCommand;

export interface AddCommand {
  kind: "add";
  folder: string;
  install: boolean;
}

/** Undefined members are asked for, or have a default. */
export interface CreateCommand {
  kind: "create";
  folder: string | undefined;
  template: string | undefined;
  name: string | undefined;
  yes: boolean;
  force: boolean;
  install: boolean;
}

const OPTIONS = {
  template: { type: "string" },
  name: { type: "string" },
  yes: { type: "boolean", short: "y" },
  force: { type: "boolean" },
  "no-install": { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const;

/** @throws {CreateError} if an argument is wrong; the message names it */
export function readCommand(args: string[]): Command {
  const { values, positionals } = parse(args);
  if (values.help) return { kind: "help" };
  if (values.version) return { kind: "version" };
  const install = !values["no-install"];
  if (positionals[0] === "add") {
    const unsuited = (["template", "name", "force"] as const).find((name) => values[name] !== undefined);
    if (unsuited !== undefined) throw new CreateError(`"add" does not take --${unsuited}.`);
    return { kind: "add", folder: onlyFolder(positionals.slice(1)) ?? ".", install };
  }
  return {
    kind: "create",
    folder: onlyFolder(positionals),
    template: values.template,
    name: values.name,
    yes: values.yes ?? false,
    force: values.force ?? false,
    install,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    // Node's message names the argument and ends with advice about "--" that does not apply here.
    const [reason] = (error as Error).message.split(". ");
    throw new CreateError(`${reason}. --help lists all options.`);
  }
}

function onlyFolder(positionals: string[]): string | undefined {
  const [folder, extra] = positionals;
  if (extra !== undefined)
    throw new CreateError(`Only one folder can be given, but "${extra}" is a second one.`);
  return folder;
}
