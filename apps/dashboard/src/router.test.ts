import { expect, test } from "vitest";
import { router } from "./router.js";

type ValidateSearch = (search: Record<string, unknown>) => Record<string, unknown>;

const validators = Object.entries(router.routesById).flatMap(([id, { options }]) => {
  const { validateSearch } = options as { validateSearch?: ValidateSearch };
  return validateSearch ? [{ id, validateSearch }] : [];
});

test("several routes have search parameters", () => {
  expect(validators.length).toBeGreaterThan(6);
});

test.each(validators)("$id drops wrong and unknown search parameters", ({ validateSearch }) => {
  const wrong = {
    q: {},
    sort: "evil",
    order: "up",
    cursor: {},
    days: "x",
    to: "//evil.example",
    other: "1",
    projectRef: "other-project",
  };
  expect(validateSearch(wrong)).toEqual(
    Object.fromEntries(Object.keys(wrong).map((name) => [name, undefined])),
  );
});

const signIn = validators.find(({ id }) => id === "/sign-in")!.validateSearch;

test.each(["/", "/account", "/projects/p/files?q=a//b#c"])("signing in may lead to %s", (to) => {
  expect(signIn({ to })).toEqual({ to });
});

test.each([
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n\\evil.example",
  "https://evil.example",
  "javascript:alert(1)",
  "evil.example",
  "",
  ["/account"],
])("signing in does not lead to %j", (to) => {
  expect(signIn({ to })).toEqual({ to: undefined });
});
