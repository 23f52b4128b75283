import { type LocalRegistry, startLocalRegistry } from "@stowage/local-registry";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aCustomer } from "@stowage/created-apps/test/fixtures/a-customer.js";
import { expectWorkingApp } from "@stowage/created-apps/test/fixtures/created-app.js";
import { expectUploadListDownloadDelete } from "@stowage/created-apps/test/fixtures/use-app.js";

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

test("pnpm create stowage makes an app that pnpm installs, and that works", async () => {
  await using customer = await aCustomer(registry);
  await customer.run(["pnpm", "create", "stowage@latest", "my-app", "--template", "hono", "--yes"]);
  expect(await customer.read("my-app/pnpm-lock.yaml")).toContain("@stowage/server");
  await customer.startStowage("my-app");
  const dev = (port: number) => ["pnpm", "run", "dev", "--port", String(port)];
  await using server = await customer.start(dev, "my-app");
  await expectUploadListDownloadDelete(server);
});
