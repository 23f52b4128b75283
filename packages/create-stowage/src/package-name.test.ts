import { expect, test } from "vitest";
import { checkName, problemOfName, suggestName } from "./package-name.js";

test.each(["my-app", "a", "app.2", "under_score", "@scope/app", "~tilde", "a".repeat(214)])(
  "allows %s",
  (name) => {
    expect(problemOfName(name)).toBeUndefined();
  },
);

test.each([
  ["", "it is empty"],
  ["a".repeat(215), "more than 214 characters"],
  ["MyApp", "capital letters"],
  [".app", "begins with a dot"],
  ["_app", "begins with a dot or an underscore"],
  ["@scope/.app", "begins with a dot"],
  ["my app", "a URL cannot contain"],
  ["caf\u00e9", "a URL cannot contain"],
  ["a/b", "a URL cannot contain"],
  ["@scope", "a scope needs a name"],
  ["@a/b/c", "a scope needs a name"],
  ["node_modules", "npm reserves it"],
])("refuses the name %j", (name, reason) => {
  expect(problemOfName(name)).toContain(reason);
});

test("says why a name is refused, and suggests one that npm allows", () => {
  expect(() => checkName("My App!")).toThrow(
    '"My App!" cannot be the name of the app, because it has capital letters. Use, for example, --name my-app.',
  );
});

test.each([["My App"], ["_x_"], ["\u65e5\u672c"], ["..."], ["node_modules"], [`${"x".repeat(300)}`]])(
  "suggests an allowed name for %j",
  (text) => {
    expect(problemOfName(suggestName(text))).toBeUndefined();
  },
);
