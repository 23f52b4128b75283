import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aFolder, DEMO, DEMO_KEY } from "../test/a-folder.js";
import { planEnvFile, writeEnvFile } from "./env-file.js";

test("takes the key of the demo project that runs in the folder", async () => {
  await using folder = await aFolder(DEMO);
  const { state, text } = await planEnvFile(folder.path, ".env");
  expect(state).toBe("key");
  expect(text?.split("\n").slice(1)).toEqual([
    "STOWAGE_URL=http://localhost:4321",
    `STOWAGE_API_KEY=${DEMO_KEY}`,
    "",
  ]);
});

test("takes the key of the demo project that runs in the parent folder", async () => {
  await using folder = await aFolder({ ...DEMO, "my-app/package.json": "{}" });
  expect((await planEnvFile(join(folder.path, "my-app"), ".env")).state).toBe("key");
});

test("leaves the key empty without a demo project, and fills it later", async () => {
  await using folder = await aFolder({ ".env": "PORT=3000" });
  const first = await planEnvFile(folder.path, ".env");
  expect(first.state).toBe("no key");
  await writeEnvFile(folder.path, ".env", first.text!);
  expect(await folder.read(".env")).toMatch(
    /^PORT=3000\n# Stowage.*\nSTOWAGE_URL=http:\/\/localhost:4000\nSTOWAGE_API_KEY=\n$/,
  );
  expect((await planEnvFile(folder.path, ".env")).text).toBeUndefined();

  await folder.write(".stowage/demo.json", DEMO[".stowage/demo.json"]);
  await writeEnvFile(folder.path, ".env", (await planEnvFile(folder.path, ".env")).text!);
  expect((await folder.read(".env")).split("\n")).toEqual([
    "PORT=3000",
    expect.stringMatching(/^# Stowage/),
    "STOWAGE_URL=http://localhost:4321",
    `STOWAGE_API_KEY=${DEMO_KEY}`,
    "",
  ]);
});

test.each(["STOWAGE_API_KEY=mine", "  export STOWAGE_API_KEY = mine", 'STOWAGE_API_KEY="mine"'])(
  "keeps the key of %j",
  async (line) => {
    await using folder = await aFolder({ ...DEMO, ".env": `${line}\n` });
    expect(await planEnvFile(folder.path, ".env")).toEqual({ state: "key", text: undefined });
  },
);

test("does not take a commented key for a key", async () => {
  await using folder = await aFolder({ ".env": "# STOWAGE_API_KEY=old\n" });
  expect((await planEnvFile(folder.path, ".env")).text).toContain("# STOWAGE_API_KEY=old\n");
});

test.each(["not JSON", "{}", '{"base_url":"http://localhost:4000","api_key":"two\\nlines"}'])(
  "ignores the damaged demo project %j",
  async (text) => {
    await using folder = await aFolder({ ".stowage/demo.json": text });
    expect((await planEnvFile(folder.path, ".env")).state).toBe("no key");
  },
);

test("lets only the owner read a new env file", async () => {
  await using folder = await aFolder();
  await writeEnvFile(folder.path, ".env", "STOWAGE_API_KEY=x\n");
  expect((await stat(join(folder.path, ".env"))).mode & 0o777).toBe(0o600);
});
