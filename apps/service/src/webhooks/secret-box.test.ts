import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSecretBox } from "./secret-box.js";

const boxOf = (...keys: string[]) => createSecretBox(async () => keys, randomBytes);

test("opens what it sealed, and never seals the same text to the same result", async () => {
  const box = boxOf("the secret of the installation");
  const [one, other] = [await box.seal("whsec_1"), await box.seal("whsec_1")];
  expect(one).not.toBe(other);
  expect(one).not.toContain("whsec_1");
  expect([await box.open(one), await box.open(other)]).toEqual(["whsec_1", "whsec_1"]);
});

test("a setting that is added later opens what the secret in the database sealed, and another secret does not", async () => {
  const sealed = await boxOf("in the database").seal("whsec_1");
  expect(await boxOf("a new setting", "in the database").open(sealed)).toBe("whsec_1");
  await expect(boxOf("another one").open(sealed)).rejects.toThrow();
});
