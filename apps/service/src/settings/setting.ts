import type * as z from "zod";

/** One setting: its parser, and what docs/settings.md says about it. */
export interface Setting<Parser extends z.ZodType = z.ZodType> extends Description {
  parser: Parser;
}

interface Description {
  /** What it does: one or two sentences in Markdown. Links are relative to docs/. */
  meaning: string;
  /** Which installations set it. */
  neededBy: string;
  /** The unit of a number, or what a text is. The page takes the words of a choice from the parser. */
  value?: string;
  /** What holds if it is not set. The page takes a default from the parser, unless it depends on the machine. */
  ifUnset?: string;
}

type About<Input, Output> = Description &
  (IsChoice<Input> extends true ? { value?: never } : { value: string }) &
  (undefined extends Output ? { ifUnset: string } : unknown);
type IsChoice<Input> = [Input] extends [string | undefined] ? (string extends Input ? false : true) : false;

export type SettingGroup = Readonly<Record<string, Setting>>;

/** Describes a setting. Texts and numbers need a `value`, and settings that may be missing need `ifUnset`. */
export function setting<Parser extends z.ZodType>(
  parser: Parser,
  about: About<z.input<Parser>, z.output<Parser>>,
): Setting<Parser> {
  return { parser, ...about };
}

type ParsersOf<Group extends SettingGroup> = { [Name in keyof Group]: Group[Name]["parser"] };

/** The parsers of a group, as the shape of a zod object. */
export function parsersOf<Group extends SettingGroup>(group: Group): ParsersOf<Group> {
  return Object.fromEntries(
    Object.entries(group).map(([name, { parser }]) => [name, parser]),
  ) as ParsersOf<Group>;
}
