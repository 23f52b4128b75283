import { type LocalRegistry, startLocalRegistry } from "@stowage/local-registry";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aCustomer, type Customer } from "@stowage/created-apps/test/fixtures/a-customer.js";
import { EXPRESS_APP, NEXT_APP } from "./existing-apps.js";
import { expectUploadListDownloadDelete } from "@stowage/created-apps/test/fixtures/use-app.js";

const ADD = ["npm", "create", "stowage@latest", "add"];

let registry: LocalRegistry;
beforeAll(async () => {
  registry = await startLocalRegistry();
});
afterAll(async () => {
  await registry?.close();
});

/** @returns the API key of the `stowage` that runs in the parent folder */
async function writeAndInstall(customer: Customer, files: Record<string, string>): Promise<string> {
  for (const [path, text] of Object.entries(files)) await customer.write(`web/${path}`, text);
  await customer.run(["npm", "install"], "web");
  return customer.startStowage();
}

test("`npm create stowage add` gives an existing Next app a page that works", async () => {
  await using customer = await aCustomer(registry);
  const apiKey = await writeAndInstall(customer, NEXT_APP);
  const printed = await customer.run(ADD, "web");
  expect(printed).toContain("installed @stowage/server");
  expect(printed).not.toContain(apiKey);
  {
    const dev = (port: number) => ["npx", "next", "dev", "--port", String(port)];
    await using server = await customer.start(dev, "web");
    expect(await (await fetch(server.url)).text()).toContain("What was there before");
    await expectUploadListDownloadDelete(server, { path: "/files" });
  }
  await customer.run(["npx", "next", "build"], "web");
  expect(await customer.run(ADD, "web")).toContain("nothing: it was all there");
});

test("`npm create stowage add` gives an existing Express app with a React page all that it needs", async () => {
  await using customer = await aCustomer(registry);
  await writeAndInstall(customer, EXPRESS_APP);
  const printed = await customer.run(ADD, "web");
  // A person does what the command printed.
  const lines = /Add these lines to server\.js:\n\n\s*(import .*)\n\s*(app\.use.*)\n/.exec(printed);
  const server = await customer.read("web/server.js");
  await customer.write("web/server.js", `${lines?.[1]}\n${server.replace("// routes", lines?.[2] ?? "")}`);
  const page = await customer.read("web/src/main.jsx");
  const documents = `import { Documents } from "./stowage/documents";\n`;
  await customer.write("web/src/main.jsx", `${documents}${page.replace("<p />", "<Documents />")}`);
  await customer.run(["npx", "vite", "build"], "web");
  const start = () => ["node", "--env-file=.env", "server.js"];
  await using app = await customer.start(start, "web", { NODE_ENV: "development" });
  await expectUploadListDownloadDelete(app);
});
