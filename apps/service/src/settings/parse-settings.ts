import type * as z from "zod";

export type Environment = Record<string, string | undefined>;

/** A missing or invalid setting, or an invalid argument. The message is one sentence for the person who starts the program. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** How a message calls a setting. @param form short: after another name of the same place. @default at the start of a sentence */
export type NameOfSetting = (setting: string, form?: "short") => string;

export const nameSetting: NameOfSetting = (setting, form) =>
  form === "short" ? setting : `The setting ${setting}`;

/** Other programs read these names in lower case too, and prefer them. */
const LOWER_CASE = ["HTTPS_PROXY", "NO_PROXY"];

/** @throws {ConfigError} for the first invalid setting. The message names the setting and the rule, but not the value, which may be secret. */
export function parseSettings<Schema extends z.ZodType>(
  schema: Schema,
  env: Environment,
  nameOf: NameOfSetting = nameSetting,
): z.output<Schema> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  for (const name of LOWER_CASE) given[name] = given[name.toLowerCase()] ?? given[name];
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ConfigError(`${nameOf(issue?.path.join(".") ?? "")} ${issue?.message}.`);
}
