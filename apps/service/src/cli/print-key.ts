import type { ProjectWithKey } from "#projects/create-project.js";
import type { CommonOptions } from "./operate.js";
import { printJson, visible } from "./print.js";

/** The only sight of a key: it is kept nowhere. */
export function printKey({ ref, name, apiKey }: ProjectWithKey, options: CommonOptions): void {
  if (options.json) return printJson({ project_ref: ref, name, api_key: apiKey });
  console.log(`Project ${visible(name)} (${ref})\nAPI key, shown this once: ${apiKey}`);
}
