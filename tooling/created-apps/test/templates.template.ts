import { type LocalRegistry, startLocalRegistry } from "@stowage/local-registry";
import { afterAll, beforeAll, test } from "vitest";
import { expectWorkingApp } from "./fixtures/created-app.js";

let registry: LocalRegistry;
beforeAll(async () => {
  registry = await startLocalRegistry();
});
afterAll(async () => {
  await registry?.close();
});

test.each([
  ["next", 20],
  ["express", 20],
  ["hono", 20],
  ["tanstack-start", 22],
  ["sveltekit", 22],
])(
  "a new %s app works while it is developed, and built: upload, list, download, delete",
  async (template, nodeMajor) => {
    await expectWorkingApp(registry, template, nodeMajor);
  },
);
