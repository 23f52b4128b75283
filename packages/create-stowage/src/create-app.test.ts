import { expect, test } from "vitest";
import { aFolder, create, DEMO, DEMO_KEY } from "../test/a-folder.js";
import { ownVersion } from "./package-root.js";
import { TEMPLATE_NAMES, TEMPLATES_BY_NAME } from "./templates.js";

test.each(TEMPLATE_NAMES)(
  "writes every file and installs every package that the README of a new %s app names, and leaves no placeholder",
  async (template) => {
    await using folder = await aFolder();
    await create(folder.path, ["my-app", "--template", template, "--no-install"]);
    const files = await folder.contents();
    const readme = files["my-app/README.md"]!;
    expect(readme).toContain(TEMPLATES_BY_NAME[template]!.title);
    const { dependencies } = JSON.parse(files["my-app/package.json"]!) as { dependencies: object };
    const guides = [...readme.matchAll(/npmjs\.com\/package\/([^)]+)\)/g)].map(([, name]) => name);
    expect(guides).toHaveLength(2);
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(guides));
    const named = [...readme.matchAll(/^\| `([^`]+)` \|/gm)].map(([, path]) => `my-app/${path}`);
    expect(named.length).toBe(5);
    expect(Object.keys(files)).toEqual(expect.arrayContaining(named));
    expect(Object.values(files).filter((text) => text.includes("{{"))).toEqual([]);
    expect(Object.keys(files).filter((path) => /(^|\/)_/.test(path) && !path.endsWith("__root.tsx"))).toEqual(
      [],
    );
  },
);

test("gives the app its name and this version of our packages", async () => {
  await using folder = await aFolder();
  await create(folder.path, ["web", "--name", "@acme/web", "--template", "express", "--no-install"]);
  const manifest = JSON.parse(await folder.read("web/package.json"));
  expect(manifest.name).toBe("@acme/web");
  expect(manifest.dependencies["@stowage/server"]).toBe(`^${ownVersion()}`);
  expect(JSON.stringify(manifest)).not.toContain("latest");
});

test("puts the demo project's key into .env, which Git ignores, and prints no key", async () => {
  await using folder = await aFolder(DEMO);
  const printed = await create(folder.path, [".", "--name", "my-app", "--yes", "--no-install"]);
  expect(await folder.read(".env")).toContain(`STOWAGE_API_KEY=${DEMO_KEY}\n`);
  expect((await folder.read(".gitignore")).split("\n")).toEqual(
    expect.arrayContaining([".env", ".stowage/"]),
  );
  expect(printed).toContain("The API key of the demo project");
  expect(printed).not.toContain(DEMO_KEY);
});

test("prints the commands of the package manager that runs it", async () => {
  await using folder = await aFolder();
  const printed = await create(folder.path, ["my-app", "--yes", "--no-install"], {
    userAgent: "pnpm/12.0.0 npm/?",
  });
  expect(printed).toContain("pnpm install");
  expect(printed).toContain("pnpm dev");
  expect(await folder.read("my-app/README.md")).toContain("pnpm dev");
});

test("refuses a folder that is not empty and changes nothing", async () => {
  await using folder = await aFolder({ "my-app/notes.txt": "mine" });
  const before = await folder.contents();
  await expect(create(folder.path, ["my-app", "--yes", "--no-install"])).rejects.toThrow(
    /my-app is not empty: it has notes\.txt\. Choose another folder, or --force/,
  );
  expect(await folder.contents()).toEqual(before);
});

test("uses a folder that is not empty with --force, beside its files", async () => {
  await using folder = await aFolder({ "my-app/notes.txt": "mine" });
  await create(folder.path, ["my-app", "--yes", "--force", "--no-install"]);
  expect(await folder.read("my-app/notes.txt")).toBe("mine");
  expect(await folder.read("my-app/package.json")).toContain('"next"');
});

test("overwrites no file, not even with --force", async () => {
  await using folder = await aFolder({ "my-app/package.json": "{}", "my-app/.env": "KEY=1" });
  const before = await folder.contents();
  await expect(create(folder.path, ["my-app", "--yes", "--force", "--no-install"])).rejects.toThrow(
    /already has package\.json, \.env\. No file is overwritten/,
  );
  expect(await folder.contents()).toEqual(before);
});

test.each([
  [
    ["a", "--template", "angular"],
    'There is no template "angular". Choose one of: next, express, hono, tanstack-start, sveltekit.',
  ],
  [["a", "--template", "toString"], 'There is no template "toString".'],
  [["a"], "Choose a template: --template next, express"],
  [["My App", "--yes"], '"My App" cannot be the name of the app'],
  [["a", "--name", "../up", "--yes"], '"../up" cannot be the name of the app'],
  [["file", "--yes"], "file is a file. Choose another folder."],
])("refuses %j and creates nothing", async (args, message) => {
  await using folder = await aFolder({ file: "" });
  await expect(create(folder.path, [...args, "--no-install"])).rejects.toThrow(message);
  expect(await folder.contents()).toEqual({ file: "" });
});

test("refuses a template that needs a newer Node", async () => {
  await using folder = await aFolder();
  const args = ["a", "--template", "sveltekit", "--no-install"];
  await expect(create(folder.path, args, { nodeVersion: "22.16.0" })).rejects.toThrow(
    "The template sveltekit needs Node 22.17 or newer. This is Node 22.16.0.",
  );
  await create(folder.path, args, { nodeVersion: "22.17.0" });
  expect(await folder.read("a/package.json")).toContain("svelte");
});

test("takes the last part of a scoped name as the folder", async () => {
  await using folder = await aFolder();
  await create(folder.path, ["--name", "@acme/web", "--yes", "--no-install"]);
  expect(JSON.parse(await folder.read("web/package.json")).name).toBe("@acme/web");
});
