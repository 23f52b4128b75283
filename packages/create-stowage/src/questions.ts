import { basename } from "node:path";
import { select, text } from "@clack/prompts";
import type { CreateCommand } from "./arguments.js";
import { CreateError } from "./create-error.js";
import { TEMPLATE_NAMES, TEMPLATES_BY_NAME } from "./templates.js";

const DEFAULT_FOLDER = "my-app";

/** What a new app needs. */
export interface Answers {
  folder: string;
  template: string;
}

/** Uses the arguments of the command line, and asks for what is missing. @throws {CreateError} if the template is missing and there is no terminal to ask in */
export async function answersFor(command: CreateCommand, canAsk: boolean): Promise<Answers> {
  const { template, yes } = command;
  const folder = command.folder ?? (command.name && basename(command.name));
  if (canAsk && !yes)
    return { folder: folder ?? (await askFolder()), template: template ?? (await askTemplate()) };
  if (template === undefined && !yes) {
    throw new CreateError(
      `Choose a template: --template ${TEMPLATE_NAMES.join(", ")}. Or use the default with --yes.`,
    );
  }
  return { folder: folder ?? DEFAULT_FOLDER, template: template ?? TEMPLATE_NAMES[0]! };
}

async function askFolder(): Promise<string> {
  const answer = await text({
    message: "Where should the app be?",
    placeholder: DEFAULT_FOLDER,
    defaultValue: DEFAULT_FOLDER,
  });
  return answered(answer);
}

async function askTemplate(): Promise<string> {
  const options = TEMPLATE_NAMES.map((value) => ({ value, label: TEMPLATES_BY_NAME[value]!.title }));
  return answered(await select({ message: "Which framework?", options }));
}

/** Clack answers a symbol if the person pressed Ctrl-C or Escape. */
function answered(answer: string | symbol): string {
  if (typeof answer === "symbol") throw new CreateError("Nothing was created.");
  return answer;
}
