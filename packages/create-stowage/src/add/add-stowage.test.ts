import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { aFolder, create, DEMO, DEMO_KEY } from "../../test/a-folder.js";

const NEXT = JSON.stringify({ dependencies: { next: "16.4.6", react: "19.3.1" } });
const NEXT_APP = {
  "package.json": NEXT,
  "tsconfig.json": "{}",
  "app/page.tsx": "export default () => null;\n",
};
const EXPRESS = JSON.stringify({ type: "module", dependencies: { express: "5.2.1" } });
const EXPRESS_APP = {
  "package.json": EXPRESS,
  "tsconfig.json": "{}",
  "src/server.ts": "const app = express();\n",
};
const IGNORES = { ".gitignore": "node_modules\n.env*\n" };

const add = (folder: string) => create(folder, ["add", "--no-install"]);
const git = (folder: string, ...args: string[]) => promisify(execFile)("git", args, { cwd: folder });

describe("in a Next app", () => {
  test.each([
    ["app", "", { "app/page.tsx": "" }],
    ["src/app", "src/", { "src/app/page.tsx": "" }],
  ])("adds the helper, the route, the component and a page beside %s", async (_, source, page) => {
    await using folder = await aFolder({ "package.json": NEXT, "tsconfig.json": "{}", ...page, ...IGNORES });
    const before = await folder.contents();
    const printed = await add(folder.path);
    const after = await folder.contents();
    const added = Object.keys(after).filter((path) => !(path in before));
    expect(added.sort()).toEqual(
      [
        ".env.local",
        `${source}app/api/stowage/[...action]/route.ts`,
        `${source}app/files/page.tsx`,
        `${source}stowage/documents.css`,
        `${source}stowage/documents.tsx`,
        `${source}stowage/helper.ts`,
        `${source}stowage/session.ts`,
      ].sort(),
    );
    expect(after).toMatchObject(before);
    for (const path of added.filter((each) => each !== ".env.local"))
      expect(printed).toContain(`added ${path}\n`);
    expect(printed).toContain(`${source}stowage/session.ts. In production it signs no one in yet.`);
    expect(printed).toMatch(/npm install @stowage\/server@\^\S+ @stowage\/react@\^/);
  });

  test("puts the demo project's key into .env.local only, and prints no key", async () => {
    await using folder = await aFolder({ ...NEXT_APP, ...IGNORES, ...DEMO });
    const printed = await add(folder.path);
    const withKey = Object.entries(await folder.contents()).filter(([, text]) => text.includes(DEMO_KEY));
    expect(withKey.map(([path]) => path)).toEqual([".env.local", ".stowage/demo.json"]);
    expect(printed).toContain("with the demo project's key");
    expect(printed).not.toContain(DEMO_KEY);
  });

  test("changes nothing when it runs again, also after the person has changed the files", async () => {
    await using folder = await aFolder({ ...NEXT_APP, ...DEMO });
    await add(folder.path);
    await folder.write("stowage/session.ts", "export const userIdOf = mySignIn;\n");
    const before = await folder.contents();
    const printed = await add(folder.path);
    expect(await folder.contents()).toEqual(before);
    expect(printed).toContain("Done:\n  nothing: it was all there");
    expect(printed).toContain("Kept as they are:\n  ");
    expect(printed).toContain("stowage/session.ts\n");
  });

  test("fills an empty key when `npx stowage` has run in the meantime", async () => {
    await using folder = await aFolder({ ...NEXT_APP, ...IGNORES });
    expect(await add(folder.path)).toContain(
      "Run `npx stowage` in this folder, and then this command again.",
    );
    await folder.write(".stowage/demo.json", DEMO[".stowage/demo.json"]);
    expect(await add(folder.path)).toContain(
      "added STOWAGE_URL and STOWAGE_API_KEY to .env.local, with the demo",
    );
    expect((await folder.read(".env.local")).match(/STOWAGE_API_KEY=/g)).toHaveLength(1);
  });

  test("appends to an env file and keeps its lines", async () => {
    await using folder = await aFolder({
      ...NEXT_APP,
      ...IGNORES,
      ".env.local": "DATABASE_URL=postgres://db",
    });
    await add(folder.path);
    expect(await folder.read(".env.local")).toMatch(/^DATABASE_URL=postgres:\/\/db\n# Stowage/);
  });

  test("keeps a page at /files that is not its own", async () => {
    await using folder = await aFolder({ ...NEXT_APP, "app/files/page.tsx": "mine" });
    expect(await add(folder.path)).toContain("Kept as they are:\n  app/files/page.tsx");
    expect(await folder.read("app/files/page.tsx")).toBe("mine");
  });

  test("names the basePath of next.config as a task", async () => {
    await using folder = await aFolder({
      ...NEXT_APP,
      "next.config.ts": 'export default { basePath: "/docs" };',
    });
    expect(await add(folder.path)).toContain(
      "Add the basePath of your next.config to ENDPOINT in stowage/documents.tsx",
    );
  });

  test("installs nothing that package.json has", async () => {
    const dependencies = { next: "16.4.6", "@stowage/server": "1.0.0", "@stowage/react": "1.0.0" };
    await using folder = await aFolder({ ...NEXT_APP, "package.json": JSON.stringify({ dependencies }) });
    expect(await create(folder.path, ["add"])).not.toContain("install");
  });
});

describe("in an Express app", () => {
  test.each([
    [
      "TypeScript",
      EXPRESS_APP,
      "src/stowage.ts",
      'import { stowageHandler } from "./stowage.js";',
      "src/server.ts",
    ],
    [
      "ES modules",
      { "package.json": EXPRESS, "app.js": "const app = express();" },
      "stowage.js",
      'import { stowageHandler } from "./stowage.js";',
      "app.js",
    ],
    [
      "CommonJS",
      {
        "package.json": JSON.stringify({ dependencies: { express: "4.22.1" } }),
        "bin/www": "",
        "app.js": "var app = express();",
      },
      "stowage.mjs",
      'const { stowageHandler } = require("./stowage.mjs");',
      "app.js",
    ],
    [
      "a server folder",
      { "package.json": EXPRESS, "src/main.tsx": "", "server/index.js": "const app = express();" },
      "src/stowage.js",
      'import { stowageHandler } from "../src/stowage.js";',
      "server/index.js",
    ],
  ])("with %s, adds the handler and says where to mount it", async (_, files, handler, line, entry) => {
    await using folder = await aFolder({ ...files, ...IGNORES });
    const before = await folder.contents();
    const printed = await add(folder.path);
    const after = await folder.contents();
    expect(
      Object.keys(after)
        .filter((path) => !(path in before))
        .sort(),
    ).toEqual([".env", handler].sort());
    expect(after).toMatchObject(before);
    expect(printed).toContain(
      `Add these lines to ${entry}:\n\n     ${line}\n     app.use("/api/stowage", stowageHandler());`,
    );
  });

  test("says nothing about mounting once the handler is mounted, and changes nothing", async () => {
    await using folder = await aFolder({ ...EXPRESS_APP, ...DEMO });
    await add(folder.path);
    await folder.write(
      "src/server.ts",
      'const app = express();\napp.use("/api/stowage", stowageHandler());\n',
    );
    const before = await folder.contents();
    const printed = await add(folder.path);
    expect(printed).not.toContain("Add these lines");
    expect(printed).toContain("nothing: it was all there");
    expect(await folder.contents()).toEqual(before);
  });

  test("adds the component too if the app has React and Vite", async () => {
    const dependencies = { express: "5.2.1", react: "19.3.1" };
    const manifest = JSON.stringify({ type: "module", dependencies, devDependencies: { vite: "8.3.8" } });
    await using folder = await aFolder({ ...EXPRESS_APP, "package.json": manifest });
    expect(await add(folder.path)).toMatch(/npm install @stowage\/server@\S+ @stowage\/react@/);
    expect(await folder.read("src/stowage/documents.tsx")).toContain("UploadDropzone");
  });
});

describe("keeps keys out of Git", () => {
  test("adds the env file to .gitignore unless Git ignores it already", async () => {
    await using folder = await aFolder({ ...NEXT_APP, ".gitignore": "node_modules" });
    await git(folder.path, "init", "-q");
    expect(await add(folder.path)).toContain("added .env.local to .gitignore");
    expect(await folder.read(".gitignore")).toBe("node_modules\n.env.local\n");
  });

  test("leaves .gitignore alone if the one of a parent folder covers the file", async () => {
    await using folder = await aFolder({
      ".gitignore": "*.local\n",
      "web/package.json": NEXT,
      "web/tsconfig.json": "{}",
      "web/app/page.tsx": "",
    });
    await git(folder.path, "init", "-q");
    expect(await add(join(folder.path, "web"))).not.toContain(".gitignore");
    expect(Object.keys(await folder.contents())).not.toContain("web/.gitignore");
  });

  test("creates .gitignore in a folder that is not a repository yet", async () => {
    await using folder = await aFolder(EXPRESS_APP);
    await add(folder.path);
    expect(await folder.read(".gitignore")).toBe(".env\n");
  });

  test("refuses an env file that Git tracks, and changes nothing", async () => {
    await using folder = await aFolder({ ...NEXT_APP, ...DEMO, ".env.local": "A=1\n" });
    await git(folder.path, "init", "-q");
    await git(folder.path, "add", "-f", ".env.local");
    const before = await folder.contents();
    await expect(add(folder.path)).rejects.toThrow(/Git tracks \.env\.local.*git rm --cached \.env\.local/);
    expect(await folder.contents()).toEqual(before);
  });
});

test.each([
  ["no package.json", {}, /has no package\.json\. Run this in the folder of your app/],
  ["a damaged package.json", { "package.json": "{" }, /package\.json is not valid JSON/],
  [
    "another framework",
    { "package.json": '{"dependencies":{"fastify":"5"}}' },
    /neither next nor express.*npmjs\.com\/package\/@stowage\/server/,
  ],
  [
    "the pages router",
    { "package.json": NEXT, "tsconfig.json": "{}", "pages/index.tsx": "" },
    /needs the app router.*@stowage\/server/,
  ],
  [
    "a Next app in JavaScript",
    { "package.json": NEXT, "app/page.js": "" },
    /has no tsconfig\.json.*@stowage\/server/,
  ],
  [
    "a static export",
    { ...NEXT_APP, "next.config.mjs": "export default { output: 'export' };" },
    /has no server that could hold the API key/,
  ],
])("refuses %s with the reason, and changes nothing", async (_, files, reason) => {
  await using folder = await aFolder(files as Record<string, string>);
  const before = await folder.contents();
  await expect(add(folder.path)).rejects.toThrow(reason);
  expect(await folder.contents()).toEqual(before);
});

test("the files for an existing app are the same as in the templates", async () => {
  await using folder = await aFolder({ ...NEXT_APP, ...IGNORES });
  await add(folder.path);
  await using fresh = await aFolder();
  await create(fresh.path, ["my-app", "--template", "next", "--no-install"]);
  for (const path of ["stowage/helper.ts", "stowage/documents.tsx", "app/api/stowage/[...action]/route.ts"]) {
    expect(await folder.read(path)).toBe(await fresh.read(`my-app/src/${path}`));
  }
});
