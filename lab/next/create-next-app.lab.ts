import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type LocalRegistry, startLocalRegistry } from "@stowage/local-registry";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aCustomer, type Customer } from "@stowage/created-apps/test/fixtures/a-customer.js";
import { expectUpload, expectUploadListDownloadDelete } from "@stowage/created-apps/test/fixtures/use-app.js";

let registry: LocalRegistry;
beforeAll(async () => {
  registry = await startLocalRegistry();
});
afterAll(async () => {
  await registry?.close();
});

const DEV = (port: number) => ["npm", "run", "dev", "--", "--port", String(port)];
const START = (port: number) => ["npm", "start", "--", "--port", String(port)];

/** What create-next-app is told beside `--yes`, which takes its defaults. Its defaults set `cacheComponents` and `partialPrefetching`. */
const OPTIONS: Record<string, string[]> = {
  "the defaults": [],
  "the React Compiler": ["--react-compiler"],
  "a src folder, Biome, no Tailwind, an empty page and the React Compiler": [
    "--src-dir",
    "--biome",
    "--no-tailwind",
    "--empty",
    "--react-compiler",
  ],
};

test.each(Object.entries(OPTIONS))(
  "the steps of the README give a new Next app with %s an upload: developed, built and started",
  async (_, options) => {
    await using customer = await aCustomer(registry);
    await createNextApp(customer, options);
    const config = await customer.read("web/next.config.ts");
    for (const setting of ["cacheComponents: true", "partialPrefetching: true"])
      expect(config).toContain(setting);
    await customer.run(["npm", "install", "@stowage/server", "@stowage/react"], "web");
    const source = options.includes("--src-dir") ? "src/" : "";
    await writeReadme(customer, source);
    await customer.startStowage();
    await writeSettings(customer);
    const env = fontsOf(customer);
    {
      await using server = await customer.start(DEV, "web", env);
      await expectUpload(server);
    }
    if (!options.includes("--biome")) await customer.run(["npm", "run", "lint"], "web");
    await signInEveryone(customer, `web/${source}session.ts`);
    await customer.run(["npm", "run", "build"], "web", env);
    await using server = await customer.start(START, "web", env);
    await expectUpload(server);
  },
);

test("`npm create stowage add` gives a new Next app a page that works: developed, built and started", async () => {
  await using customer = await aCustomer(registry);
  await createNextApp(customer, ["--react-compiler"]);
  await customer.startStowage();
  await customer.run(["npm", "create", "stowage@latest", "add"], "web");
  const env = fontsOf(customer);
  {
    await using server = await customer.start(DEV, "web", env);
    await expectUploadListDownloadDelete(server, { path: "/files" });
  }
  await customer.run(["npm", "run", "lint"], "web");
  await signInEveryone(customer, "web/stowage/session.ts");
  await customer.run(["npm", "run", "build"], "web", env);
  await using server = await customer.start(START, "web", env);
  await expectUploadListDownloadDelete(server, { path: "/files" });
});

async function createNextApp(customer: Customer, options: string[]): Promise<void> {
  const create = ["npx", "--yes", "create-next-app@latest", "web", "--yes", "--use-npm", "--disable-git"];
  await customer.run([...create, ...options]);
  await customer.write("fonts.cjs", FONTS);
}

/** What the test needs instead of Google's fonts, which the first page of the app loads during its build. */
const FONTS = `const face = (family) => "@font-face { font-family: '" + family + "'; src: local('sans-serif') }";
const url = (family) => "https://fonts.googleapis.com/css2?family=" + family + ":wght@100..900&display=swap";
module.exports = { [url("Geist")]: face("Geist"), [url("Geist+Mono")]: face("Geist Mono") };
`;
const fontsOf = ({ code }: Customer) => ({ NEXT_FONT_GOOGLE_MOCKED_RESPONSES: join(code, "fonts.cjs") });

/** The files of the README's section for Next. */
const README_FILES = ["session.ts", "app/api/stowage/[...action]/route.ts", "app/documents.tsx"];

/** Writes the files of the README, and shows their component in the first page of the app. */
async function writeReadme(customer: Customer, source: string): Promise<void> {
  const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
  for (const path of README_FILES) {
    const start = readme.indexOf(`\n// ${path}`) + 1;
    expect(start).not.toBe(0);
    await customer.write(`web/${source}${path}`, readme.slice(start, readme.indexOf("```", start)));
  }
  const page = `web/${source}app/page.tsx`;
  const text = await customer.read(page);
  const changed = text.replace(/<main[^>]*>/, "$&<Documents />");
  expect(changed).not.toBe(text);
  await customer.write(page, `import { Documents } from "./documents";\n${changed}`);
}

/** The settings of the README, of the Stowage that runs here. */
async function writeSettings(customer: Customer): Promise<void> {
  const demo = JSON.parse(await customer.read(".stowage/demo.json")) as { api_key: string; base_url: string };
  const text = `STOWAGE_API_KEY=${demo.api_key}\nSTOWAGE_URL=${demo.base_url}\n`;
  await customer.write("web/.env.local", text);
}

/** The README's sign-in signs no one in outside of development. */
async function signInEveryone(customer: Customer, path: string): Promise<void> {
  const text = await customer.read(path);
  const changed = text.replace(/return process\.env\.NODE_ENV .*;/, 'return "user_42";');
  expect(changed).not.toBe(text);
  await customer.write(path, changed);
}
