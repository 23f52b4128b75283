import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { API_KEY } from "@stowage/service-fake";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSettings, SettingsError } from "../src/server/settings.js";

let dir: string;
beforeAll(async () => void (dir = await mkdtemp(join(tmpdir(), "example-"))));
afterAll(() => rm(dir, { recursive: true }));

async function aDemoFile(content: string): Promise<string> {
  const file = join(dir, `${Math.random()}.json`);
  await writeFile(file, content);
  return file;
}

test("reads the API key from the environment and defaults the rest", () => {
  expect(readSettings({ STOWAGE_API_KEY: API_KEY })).toEqual({
    host: "127.0.0.1",
    port: 4002,
    stowageUrl: "http://localhost:4000",
    apiKey: API_KEY,
  });
});

test("reads the demo file for what the environment does not set", async () => {
  const file = await aDemoFile(JSON.stringify({ base_url: "http://localhost:1", api_key: API_KEY }));
  expect(readSettings({ STOWAGE_DEMO_FILE: file })).toMatchObject({
    stowageUrl: "http://localhost:1",
    apiKey: API_KEY,
  });
  expect(readSettings({ STOWAGE_DEMO_FILE: file, STOWAGE_URL: "http://localhost:2" })).toMatchObject({
    stowageUrl: "http://localhost:2",
  });
});

test("rejects missing and wrong settings in one sentence that does not contain the API key", async () => {
  const wrong = [
    {},
    { STOWAGE_API_KEY: API_KEY, PORT: "many" },
    { STOWAGE_API_KEY: API_KEY, PORT: "-1" },
    { STOWAGE_API_KEY: API_KEY, PORT: "70000" },
    { STOWAGE_DEMO_FILE: join(dir, "missing.json") },
    { STOWAGE_DEMO_FILE: await aDemoFile(`{"api_key": "${API_KEY}"`) },
    { STOWAGE_DEMO_FILE: await aDemoFile("null") },
    { STOWAGE_DEMO_FILE: await aDemoFile("{}") },
    { STOWAGE_DEMO_FILE: await aDemoFile('{"api_key": 5, "base_url": 6}') },
  ];
  for (const env of wrong) {
    const read = () => readSettings(env);
    expect(read, JSON.stringify(env)).toThrow(SettingsError);
    expect(read).toThrow(/^[^\n]+\.$/);
    expect(read).not.toThrow(API_KEY);
  }
});
