import { expect, test } from "vitest";
import * as z from "zod";
import { onOrOff, wholeNumber } from "./parsers.js";
import { setting, type SettingGroup } from "./setting.js";

const about = { meaning: "Says something.", neededBy: "everyone" };

// `pnpm types` checks these: each line that compiles without its description is an error.
test("a setting without a complete description does not compile", () => {
  const group = {
    // @ts-expect-error without a description
    BARE: wholeNumber(0, 1),
    // @ts-expect-error a number without a unit
    NUMBER: setting(wholeNumber(0, 1).default(0), about),
    // @ts-expect-error a text that may be missing, without what holds then
    TEXT: setting(z.string().optional(), { ...about, value: "text" }),
    // @ts-expect-error a choice whose words stand in the parser, and again here
    CHOICE: setting(onOrOff.prefault("on"), { ...about, value: "on or off" }),
    // @ts-expect-error without a meaning
    SILENT: setting(onOrOff.prefault("on"), { neededBy: "everyone" }),
    COMPLETE: setting(wholeNumber(0, 1).default(0), { ...about, value: "seconds" }),
  } satisfies SettingGroup;
  expect(group.COMPLETE).toMatchObject({ ...about, value: "seconds" });
});
