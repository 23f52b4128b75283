import { type Operation, operations } from "@stowage/schemas";
import { expect, test } from "vitest";
import { anApp } from "../../test/fixtures/an-app.js";

test("every call of the documentation has a route", async () => {
  const app = await anApp({ dashboardDir: "none", docsDir: "none", version: "1.2.3" });
  const missing = Object.values<Operation>(operations)
    .map(({ method, path }) => ({ method, url: path === "/" ? path : path.replace(/\/$/, "") }))
    .filter((route) => !app.hasRoute(route));
  expect(missing).toEqual([]);
  await app.close();
});
