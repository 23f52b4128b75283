import { inject, expect, test } from "vitest";
import { aDatabase } from "../fixtures/a-database.js";
import { aProcess } from "../fixtures/a-process.js";

test("prints a link at start until there is an operator, and its first user becomes the admin", async () => {
  const database = await aDatabase();
  const settings = {
    ...inject("servers"),
    DATABASE_URL: database.url,
    PORT: "0",
    DASHBOARD_URL: "http://dashboard.test",
  };
  const service = await aProcess(settings);
  const link = /at http:\/\/dashboard\.test\/setup#([\w-]{43})\n/;
  await expect.poll(() => service.output()).toMatch(link);
  const [, token] = link.exec(service.output())!;
  const answer = await fetch(`${service.url}/trpc/setup.finish`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: "http://dashboard.test" },
    body: JSON.stringify({
      token,
      name: "First",
      email: "first@example.com",
      password: "correct horse battery",
    }),
  });
  expect(answer.status).toBe(200);
  await service.kill();

  const again = await aProcess(settings);
  expect((await fetch(`${again.url}/readyz`)).status).toBe(200);
  again.child.kill("SIGTERM");
  await again.exit;
  await database.drop();
  expect(again.output()).not.toContain("setup#");
});
