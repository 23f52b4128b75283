import { startLocalRegistry } from "@stowage/local-registry";
import { test } from "vitest";
import { expectWorkingApp } from "./fixtures/created-app.js";

// `pnpm lab templates` does the same with all templates. This one installs and builds fastest.
test(
  "an app of `npm create stowage` works: upload, list, download, delete",
  { timeout: 900_000 },
  async () => {
    await using registry = await startLocalRegistry();
    await expectWorkingApp(registry, "hono");
  },
);
