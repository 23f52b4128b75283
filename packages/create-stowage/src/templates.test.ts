import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { parse } from "yaml";
import { userIdOf } from "../templates/base/src/stowage/session.js";
import { aFolder, DEMO, DEMO_KEY } from "../test/a-folder.js";
import { TEMPLATES } from "./package-root.js";
import { TEMPLATES_BY_NAME } from "./templates.js";

const templates = Object.entries(TEMPLATES_BY_NAME);
const manifestOf = async (name: string) =>
  JSON.parse(await readFile(join(TEMPLATES, name, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
    engines: { node: string };
  };

test.each(templates)(
  "%s has exact versions, and those of this repository where it has them too",
  async (name) => {
    const { dependencies, devDependencies } = await manifestOf(name);
    const workspace = await readFile(new URL("../../../pnpm-workspace.yaml", import.meta.url), "utf8");
    const catalog = (parse(workspace) as { catalog: Record<string, string> }).catalog;
    // The apps run on a newer Node than the oldest that this repository supports. Next and SvelteKit need a TypeScript with a compiler API.
    const own = ["@types/node", "typescript"];
    for (const [dependency, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      if (dependency.startsWith("@stowage/")) {
        expect(version).toBe("latest");
      } else {
        expect(version, dependency).toMatch(/^\d+\.\d+\.\d+$/);
        if (dependency in catalog && !own.includes(dependency))
          expect(version, dependency).toBe(catalog[dependency]);
      }
    }
  },
);

test.each(templates)("%s asks for the Node that the command checks", async (name, { node }) => {
  expect((await manifestOf(name)).engines.node).toBe(`>=${node.join(".")}`);
});

test("the session signs everybody in while developing, and nobody otherwise", async () => {
  for (const [environment, user] of [
    ["development", "user_42"],
    ["production", null],
    ["test", null],
    ["", null],
  ] as const) {
    vi.stubEnv("NODE_ENV", environment);
    expect(await userIdOf("session=anything")).toBe(user);
  }
  vi.unstubAllEnvs();
});

const SCRIPT = join(TEMPLATES, "base/scripts/use-demo-key.mjs");
const useDemoKey = (cwd: string, env = {}) =>
  promisify(execFile)(process.execPath, [SCRIPT], { cwd, env, timeout: 50_000 });

test("the dev script of an app takes the demo project's key into .env and keeps the other lines", async () => {
  await using folder = await aFolder({
    ...DEMO,
    ".env": "A=1\nexport STOWAGE_URL=http://old\nSTOWAGE_API_KEY=\n",
  });
  const { stdout } = await useDemoKey(folder.path);
  expect(await folder.read(".env")).toBe(
    `A=1\nSTOWAGE_URL=http://localhost:4321\nSTOWAGE_API_KEY=${DEMO_KEY}\n`,
  );
  expect(stdout).not.toContain(DEMO_KEY);
});

test("the dev script of an app keeps a key of .env, however it is written, or of the environment", async () => {
  for (const env of ["STOWAGE_API_KEY=mine\n", "  export STOWAGE_API_KEY = mine\n"]) {
    await using folder = await aFolder({ ...DEMO, ".env": env });
    await useDemoKey(folder.path);
    expect(await folder.read(".env")).toBe(env);
  }
  await using other = await aFolder(DEMO);
  await useDemoKey(other.path, { STOWAGE_API_KEY: "mine" });
  expect(Object.keys(await other.contents())).toEqual([".stowage/demo.json"]);
});

test("the dev script of an app says that its key is another one than the demo project's, and prints neither", async () => {
  const ofDemo = "STOWAGE_URL=http://localhost:4321\nSTOWAGE_API_KEY=";
  await using folder = await aFolder({ ...DEMO, ".env": `${ofDemo}old-key\n` });
  const { stderr } = await useDemoKey(folder.path);
  expect(stderr).toContain("The STOWAGE_API_KEY in .env is not the demo project's in .stowage/demo.json.");
  expect(stderr).not.toMatch(new RegExp(`${DEMO_KEY}|old-key`));
  for (const env of [
    `${ofDemo}"${DEMO_KEY}"\n`,
    "STOWAGE_URL=https://files.example.com\nSTOWAGE_API_KEY=x\n",
  ]) {
    await using other = await aFolder({ ...DEMO, ".env": env });
    expect((await useDemoKey(other.path)).stderr).toBe("");
  }
});

test("the dev script of an app needs no demo project that can be read while it has a key", async () => {
  const damaged = { ".stowage/demo.json": "{" };
  await using folder = await aFolder({ ...damaged, ".env": "STOWAGE_API_KEY=mine\n" });
  expect(await useDemoKey(folder.path)).toMatchObject({ stdout: "", stderr: "" });
  await using other = await aFolder(damaged);
  expect(await useDemoKey(other.path, { STOWAGE_API_KEY: "mine" })).toMatchObject({ stdout: "", stderr: "" });
});

test("the dev script of an app says what to do while there is no key", async () => {
  await using folder = await aFolder();
  await expect(useDemoKey(folder.path)).rejects.toThrow(
    /There is no API key yet\. Run `npx stowage` in this folder/,
  );
});
