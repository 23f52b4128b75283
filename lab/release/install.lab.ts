import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { aRun, type Run } from "@stowage/e2e/fixtures/a-run.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalRegistry, startLocalRegistry } from "@stowage/local-registry";
import { aCustomer, type Customer } from "@stowage/local-registry/test/a-customer.js";

/** The first start downloads PostgreSQL and sharp. */
const START_MS = 300_000;
/** A version of Node that is too old. */
const OLD_NODE = `node-${process.platform}-${process.arch}@18`;

const TSCONFIG = {
  compilerOptions: {
    module: "nodenext",
    target: "es2022",
    lib: ["es2023", "dom", "dom.iterable"],
    jsx: "react-jsx",
    strict: true,
    // tooling/as-published checks the declarations of the packages.
    skipLibCheck: true,
    noEmit: true,
  },
};

const HELPER = `import { createStowage } from "@stowage/server";
import { toNextHandlers } from "@stowage/server/next";

export const { GET, POST, OPTIONS } = toNextHandlers(() =>
  createStowage({ apiKey: "key", baseUrl: "http://localhost:4000", tenant: () => "user_42" }),
);
`;

const PAGE = `import { UploadDropzone } from "@stowage/react";

export function Documents() {
  return <UploadDropzone endpoint="/api/stowage" onUploaded={(file) => console.log(file.file_path.length)} />;
}
`;

const UPLOAD = `import { readFileSync } from "node:fs";
import { createStowageClient } from "@stowage/server/client";

const demo = JSON.parse(readFileSync(".stowage/demo.json", "utf8"));
const client = createStowageClient({ apiKey: demo.api_key, baseUrl: demo.base_url });
const bytes = new TextEncoder().encode("the first file");
const file = await client.upload({ tenantId: "user_42", filename: "first.txt", file: bytes });
console.error("stored");
const { presignedUrl } = await client.downloadUrl(file.filePath, { tenantId: "user_42" });
console.log(await (await fetch(presignedUrl)).text());
`;

let registry: LocalRegistry;
beforeAll(async () => {
  registry = await startLocalRegistry();
});
afterAll(() => registry?.close());

describe("on a machine that has never used npm", () => {
  test("npm install @stowage/server @stowage/react: both compile, and load in Node", async () => {
    await using customer = await aCustomer(registry);
    const tools = ["typescript@5", "react@19", "react-dom@19", "@types/react@19", "@types/node@20"];
    await customer.run("npm", "install", "@stowage/server", "@stowage/react", ...tools);
    await customer.write("tsconfig.json", JSON.stringify(TSCONFIG));
    await customer.write("route.ts", HELPER);
    await customer.write("documents.tsx", PAGE);
    expect((await customer.run("npx", "tsc", "-p", ".")).stdout).toBe("");
    await customer.write("documents.tsx", PAGE.replace("file_path.length", "filePath"));
    await expect(customer.run("npx", "tsc", "-p", ".")).rejects.toMatchObject({
      stdout: expect.stringContaining("Property 'filePath' does not exist"),
    });
    const code = `
      const modules = [await import("@stowage/server"), await import("@stowage/react")];
      console.log(typeof modules[0].createStowage, typeof modules[1].UploadDropzone);`;
    const { stdout } = await customer.run("node", "--input-type=module", "-e", code);
    expect(stdout).toBe("function function\n");
  });

  test.each(["npx stowage", "pnpm dlx stowage"])(
    "%s starts everything, and a file is uploaded and downloaded",
    async (command) => {
      await using customer = await aCustomer(registry);
      const startedAt = Date.now();
      const run = start(customer, command);
      try {
        const { service } = await run.ready;
        const seconds = () => ((Date.now() - startedAt) / 1000).toFixed(1);
        const runningAfter = seconds();
        await customer.write("package.json", JSON.stringify({ private: true, type: "module" }));
        await customer.run("npm", "install", "@stowage/server");
        await customer.write("upload.js", UPLOAD);
        const { stdout, stderr } = await customer.run("node", "upload.js");
        expect(stderr).toBe("stored\n");
        console.log(`${command}: running after ${runningAfter} s, first stored file after ${seconds()} s`);
        expect(stdout).toBe("the first file\n");

        const { version } = registry.packages.find(({ name }) => name === "stowage")!;
        expect(await (await fetch(service)).json()).toMatchObject({ name: "Stowage", version });
        const docs = await fetch(`${service}/docs/`, { headers: { Accept: "text/html" } });
        expect(await docs.text()).toContain("<title>Overview | Stowage</title>");
        const [npx = "", ...args] = command.split(" ");
        const { stdout: usage } = await customer.run(npx, ...args, "usage");
        expect(usage).toMatch(/ 1 +1 +14 +0 +Demo\n/);
        const logs = await readFile(join(customer.app, ".stowage/logs/service.log"), "utf8");
        expect(logs).not.toContain("X-Amz-Signature");
      } finally {
        run.interrupt();
        await run.exit;
      }
      // The next start would refuse a folder that a process still uses.
      const again = start(customer, command);
      await again.ready;
      again.interrupt();
      await again.exit;
    },
  );

  test("says which Node it needs to one that is too old", async () => {
    await using customer = await aCustomer(registry);
    await customer.run("npm", "install", "--force", "stowage", OLD_NODE);
    const [name = ""] = OLD_NODE.split("@");
    await expect(
      customer.run(`node_modules/${name}/bin/node`, "node_modules/stowage/bin/stowage.mjs"),
    ).rejects.toMatchObject({
      stdout: "",
      stderr: expect.stringMatching(/^Stowage needs Node 20\.19 or newer\. This is Node 18\.\d+\.\d+\.\n$/),
    });
  });
});

/** Starts it on free ports, in the customer's folder. */
function start({ app, env }: Customer, command: string): Run {
  const [executable = "", ...args] = command.split(" ");
  return aRun(
    "",
    { ...env, STOWAGE_DATA_DIR: "" },
    { executable, command: args, cwd: app, startMs: START_MS },
  );
}
