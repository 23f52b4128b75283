// The declarations of the packed packages, and a customer's code on them, in versions of TypeScript, React and module resolution; and a
// route's `input` with schema libraries.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { install, root, run, versionOf } from "./install.mjs";

const VERSIONS = ["5.4", "5.5", "5.6", "5.7", "5.8", "5.9", "6.0", "7.0"];
/** Each module resolution, and the `module` that goes with it. */
const MODULES = { bundler: "esnext", node16: "node16", nodenext: "nodenext" };
/** Not every pair, because one check by TypeScript 5 takes 10 s of CPU. */
const RESOLUTIONS = { "React 18": ["bundler", "node16"], "React 19": ["bundler", "nodenext"] };
const REACTS = {
  "React 18": { react: "^18", "react-dom": "^18", "@types/react": "^18", "@types/react-dom": "^18" },
  "React 19": { react: "^19", "react-dom": "^19", "@types/react": "^19", "@types/react-dom": "^19" },
};
/** Schema libraries: what a program imports, and a schema of `{ album: number }`. */
const SCHEMAS = {
  "zod 3.25": {
    as: "zod-3",
    from: "npm:zod@~3.25.0",
    import: "{ z }",
    schema: "z.object({ album: z.number() })",
  },
  "zod 4": { as: "zod", from: "^4", import: "* as z", schema: "z.object({ album: z.number() })" },
  arktype: { as: "arktype", from: "^2", import: "{ type }", schema: 'type({ album: "number" })' },
  valibot: { as: "valibot", from: "^1", import: "* as v", schema: "v.object({ album: v.number() })" },
  "effect 3": {
    as: "effect-3",
    from: "npm:effect@^3",
    import: "{ Schema }",
    schema: "Schema.standardSchemaV1(Schema.Struct({ album: Schema.Number }))",
  },
  "effect 4": {
    as: "effect",
    from: "^4",
    import: "{ Schema }",
    schema: "Schema.toStandardSchemaV1(Schema.Struct({ album: Schema.Number }))",
  },
};
const CHECK_MS = 300_000;

/**
 * Before 5.7, TypeScript infers no parameter of a callback from another member of the same route, and it rejects the declarations of
 * `@trpc/server` 11.
 */
const isBefore57 = (version) => Number(version) < 5.7;
const fileOf = (schemaLibrary) => `${schemaLibrary.replace(" ", "-")}.ts`;
const packageOf = (version) => `typescript-${version}`;

export async function checkTypes({ folder, packed, only }) {
  const failures = [];
  const versions = VERSIONS.filter((version) => only === undefined || only === version);
  const compilers = Object.fromEntries(
    versions.map((version) => [packageOf(version), `npm:typescript@~${version}.0`]),
  );
  const homes = {};
  for (const [name, react] of Object.entries(REACTS)) {
    const tools = name === "React 19" ? compilers : {};
    homes[name] = await install(join(folder, `types-${name.replace(" ", "-")}`), {
      ...packed,
      ...react,
      ...tools,
      "@types/node": "^20",
      "@trpc/server": "^11",
      zod: "^4",
      ...(name === "React 19" ? schemaDependencies() : {}),
    });
  }
  const compilerHome = homes["React 19"];
  /** @returns the errors; empty if there are none */
  const check = async (version, cwd, tsconfig) => {
    const tsc = join(compilerHome, "node_modules", packageOf(version), "bin/tsc");
    const options = { cwd, timeoutMs: CHECK_MS };
    const { status, output } = await run(
      process.execPath,
      [tsc, "-p", tsconfig, "--pretty", "false"],
      options,
    );
    return status === 0 ? "" : output.slice(0, 4000) || `error: it ended with ${status}`;
  };

  const exact = Object.fromEntries(
    versions.map((version) => [version, versionOf(compilerHome, packageOf(version))]),
  );
  const packages = [];
  const schemas = [];
  for (const version of versions) {
    console.error(`TypeScript ${exact[version]} …`);
    const cells = await Promise.all(
      Object.entries(homes).map(async ([name, home]) => {
        const cwd = copyCustomer(home, version);
        const results = [];
        for (const moduleResolution of RESOLUTIONS[name]) {
          const module = MODULES[moduleResolution];
          const tsconfig = writeConfig(cwd, moduleResolution, {
            module,
            moduleResolution,
            skipLibCheck: false,
          });
          const output = await check(version, cwd, tsconfig);
          if (output !== "") failures.push(`TypeScript ${version}, ${name}, ${moduleResolution}:\n${output}`);
          results.push(output === "");
        }
        return results;
      }),
    );
    packages.push([exact[version], ...cells.flat().map(mark)]);
    // The declarations of the schema libraries themselves are not the subject, and some of them need newer compilers.
    const cwd = writeSchemas(compilerHome, version);
    const settings = { module: "nodenext", moduleResolution: "nodenext", skipLibCheck: true };
    const output = await check(version, cwd, writeConfig(cwd, "schemas", settings));
    if (output !== "") failures.push(`TypeScript ${version}, schemas:\n${output}`);
    const isAccepted = (name) => !output.includes(`${fileOf(name)}(`) && !output.startsWith("error");
    schemas.push([exact[version], ...Object.keys(SCHEMAS).map((name) => mark(isAccepted(name)))]);
    console.error(`  ${[...packages.at(-1).slice(1), ...schemas.at(-1).slice(1)].join(" ")}`);
  }
  const combinations = Object.entries(RESOLUTIONS).flatMap(([react, resolutions]) =>
    resolutions.map((resolution) => `${react}, ${resolution}`),
  );
  const libraries = Object.entries(SCHEMAS).map(
    ([, { as }]) => `${as.replace(/-\d$/, "")} ${versionOf(compilerHome, as)}`,
  );
  return {
    tables: [
      {
        title: "TypeScript with skipLibCheck: false",
        header: ["TypeScript", ...combinations],
        rows: packages,
      },
      { title: "A route's input", header: ["TypeScript", ...libraries], rows: schemas },
    ],
    failures,
  };
}

const mark = (isAccepted) => (isAccepted ? "yes" : "**no**");

function schemaDependencies() {
  return Object.fromEntries(Object.values(SCHEMAS).map(({ as, from }) => [as, from]));
}

/** The files of `tooling/as-published/test/customer/types`, as an app with this compiler has them. */
function copyCustomer(home, version) {
  const cwd = join(home, `customer-${version}`);
  cpSync(join(root, "tooling/as-published/test/customer/types"), cwd, { recursive: true });
  if (isBefore57(version)) {
    annotate(join(cwd, "routes.ts"));
    rmSync(join(cwd, "trpc.ts"));
  }
  // The element's JSX needs the types of React 19.
  if (home.endsWith("React-18")) writeFileSync(join(cwd, "element.tsx"), "export {};\n");
  return cwd;
}

function annotate(file) {
  const code = readFileSync(file, "utf8");
  const annotated = code
    .replace("{ createStowage }", "{ createStowage, type BeforeUploadContext }")
    .replace("({ input })", "({ input }: BeforeUploadContext<{ album: number }>)");
  if (!annotated.includes("}: BeforeUploadContext<"))
    throw new Error(`${file} has no callback with an input`);
  writeFileSync(file, annotated);
}

function writeSchemas(home, version) {
  const cwd = join(home, `customer-${version}`, "schemas");
  mkdirSync(cwd, { recursive: true });
  for (const [name, { as, import: imported, schema }] of Object.entries(SCHEMAS)) {
    const file = join(cwd, fileOf(name));
    writeFileSync(
      file,
      `import { createStowage } from "@stowage/server";
import { createUploader } from "@stowage/react";
import ${imported} from "${as}";
export const stowage = createStowage({
  apiKey: "a key",
  baseUrl: "https://files.example.com",
  tenant: () => "user_ada",
  routes: {
    document: {
      input: ${schema},
      metadata: ({ input }) => ({ album: input.album.toFixed() }),
      onComplete: ({ file }) => ({ size: file.size }),
    },
    // @ts-expect-error: this is no schema
    wrong: { input: { parse: () => 4 } },
  },
});
const { useUpload } = createUploader<typeof stowage>({ endpoint: "/api/upload" });
export const useDocuments = () => useUpload({ route: "document", input: { album: 7 } });
// @ts-expect-error: an album is a number
export const useWrong = () => useUpload({ route: "document", input: { album: "seven" } });
`,
    );
    if (isBefore57(version)) annotate(file);
  }
  return cwd;
}

function writeConfig(cwd, name, settings, include = ["*.ts", "*.tsx"]) {
  const compilerOptions = {
    target: "es2022",
    lib: ["es2023", "dom", "dom.iterable"],
    jsx: "react-jsx",
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    // Checks the declarations of the packages, but not the compiler's own.
    skipDefaultLibCheck: true,
    noEmit: true,
    ...settings,
  };
  const file = `tsconfig.${name}.json`;
  writeFileSync(join(cwd, file), JSON.stringify({ compilerOptions, include }));
  return file;
}
