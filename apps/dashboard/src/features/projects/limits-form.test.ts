import { expect, test } from "vitest";
import { defaultLimits, validateLimits } from "./limits-form.js";

test("an empty number of days in the trash is refused, and does not turn the trash off", () => {
  const validate = validateLimits("settings");
  expect(validate(defaultLimits)).toEqual({});
  expect(validate({ ...defaultLimits, trashDays: "" })).toHaveProperty("trashDays");
});
