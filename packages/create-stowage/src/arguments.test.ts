import { expect, test } from "vitest";
import { readCommand } from "./arguments.js";

test("reads a folder and all options of a new app", () => {
  const args = ["my-app", "--template", "hono", "--name=@me/app", "-y", "--force", "--no-install"];
  expect(readCommand(args)).toEqual({
    kind: "create",
    folder: "my-app",
    template: "hono",
    name: "@me/app",
    yes: true,
    force: true,
    install: false,
  });
});

test("leaves open what the command line does not say", () => {
  expect(readCommand([])).toEqual({
    kind: "create",
    folder: undefined,
    template: undefined,
    name: undefined,
    yes: false,
    force: false,
    install: true,
  });
});

test("adds to the current folder, unless another one is named", () => {
  expect(readCommand(["add"])).toEqual({ kind: "add", folder: ".", install: true });
  expect(readCommand(["add", "web", "--no-install"])).toEqual({ kind: "add", folder: "web", install: false });
});

test("knows --help and --version", () => {
  expect(readCommand(["-h"])).toEqual({ kind: "help" });
  expect(readCommand(["my-app", "--version"])).toEqual({ kind: "version" });
});

test.each([
  [["--tempalte", "next"], "Unknown option '--tempalte'. --help lists all options."],
  [["--template"], "Option '--template <value>' argument missing. --help lists all options."],
  [["a", "b"], 'Only one folder can be given, but "b" is a second one.'],
  [["add", "a", "b"], 'Only one folder can be given, but "b" is a second one.'],
  [["add", "--template", "next"], '"add" does not take --template.'],
  [["add", "--force"], '"add" does not take --force.'],
])("refuses %j and names the argument", (args, message) => {
  expect(() => readCommand(args)).toThrow(message);
});
