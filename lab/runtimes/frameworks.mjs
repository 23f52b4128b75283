// New apps of frameworks in their newest versions, with the packed packages: a page with the dropzone and the helper behind it. Each is
// built, and its types are checked with `skipLibCheck: false` where the framework's own declarations allow it.
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { install, lastLines, run, versionOf } from "./install.mjs";

const STEP_MS = 600_000;

const HELPER = `import { createStowage } from "@stowage/server";

const makeStowage = () =>
  createStowage({
    apiKey: process.env.STOWAGE_API_KEY,
    baseUrl: process.env.STOWAGE_URL,
    tenant: () => "user_42",
    routes: { document: { maxSize: "4MB", onComplete: ({ file }) => ({ path: file.filePath }) } },
  });

let stowage: ReturnType<typeof makeStowage> | undefined;

export const answer = (request: Request) => (stowage ??= makeStowage()).handler(request);
`;
const REACT = {
  react: "latest",
  "react-dom": "latest",
  "@types/react": "latest",
  "@types/react-dom": "latest",
};
const TYPESCRIPT_6 = { typescript: "^6", "@types/node": "^24" };
const REACT_UPLOADER = `import { UploadDropzone } from "@stowage/react";
import "@stowage/react/styles.css";

export function Uploader() {
  return <UploadDropzone endpoint="/api/stowage" route="document" onUploaded={(file) => console.log(file.file_path)} />;
}
`;
/** Strict, and with the declarations of all packages. */
const STRICT = {
  target: "es2022",
  module: "esnext",
  moduleResolution: "bundler",
  strict: true,
  skipLibCheck: false,
  skipDefaultLibCheck: true,
  noEmit: true,
};

/** The steps are programs of the installed packages with their arguments. */
const FRAMEWORKS = {
  next: {
    title: "Next",
    dependencies: { next: "latest", ...REACT, ...TYPESCRIPT_6 },
    files: {
      // What create-next-app writes.
      "next.config.ts": "export default { cacheComponents: true };\n",
      "app/layout.tsx": `export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
      "app/page.tsx": `import { Uploader } from "./uploader";\nexport default function Page() {\n  return <Uploader />;\n}\n`,
      "app/uploader.tsx": `"use client";\n${REACT_UPLOADER}`,
      "app/stowage.ts": HELPER,
      "app/api/stowage/[...action]/route.ts": `import { answer } from "../../../stowage";\nexport { answer as GET, answer as POST, answer as OPTIONS };\n`,
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          ...STRICT,
          // Next's own declarations name packages that an app need not have.
          skipLibCheck: true,
          lib: ["dom", "dom.iterable", "esnext"],
          jsx: "react-jsx",
          plugins: [{ name: "next" }],
        },
        include: ["**/*.ts", "**/*.tsx"],
      }),
    },
    build: ["next/dist/bin/next", "build"],
    check: ["typescript/bin/tsc", "--noEmit"],
  },
  vite: {
    title: "Vite",
    dependencies: {
      vite: "latest",
      "@vitejs/plugin-react": "latest",
      ...REACT,
      "@types/node": "^24",
      typescript: "latest",
    },
    files: {
      "index.html": `<div id="root"></div><script type="module" src="/src/main.tsx"></script>\n`,
      "src/main.tsx": `import { createRoot } from "react-dom/client";\nimport { Uploader } from "./uploader";\ncreateRoot(document.getElementById("root")!).render(<Uploader />);\n`,
      "src/uploader.tsx": REACT_UPLOADER,
      "server/stowage.ts": HELPER,
      "vite.config.ts": `import react from "@vitejs/plugin-react";\nexport default { plugins: [react()] };\n`,
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          ...STRICT,
          lib: ["es2023", "dom", "dom.iterable"],
          jsx: "react-jsx",
          types: ["node"],
        },
        include: ["src", "server"],
      }),
    },
    build: ["vite/bin/vite.js", "build"],
    check: ["typescript/bin/tsc", "-p", "."],
  },
  "@sveltejs/kit": {
    title: "SvelteKit",
    dependencies: {
      "@sveltejs/kit": "latest",
      "@sveltejs/vite-plugin-svelte": "latest",
      "@sveltejs/adapter-node": "latest",
      svelte: "latest",
      "svelte-check": "latest",
      vite: "latest",
      ...TYPESCRIPT_6,
    },
    files: {
      "vite.config.ts": `import { sveltekit } from "@sveltejs/kit/vite";\nimport adapter from "@sveltejs/adapter-node";\nexport default { plugins: [sveltekit({ adapter: adapter() })] };\n`,
      "src/app.html": `<!doctype html><html lang="en"><head>%sveltekit.head%</head><body><div>%sveltekit.body%</div></body></html>\n`,
      "src/routes/+page.svelte": `<script lang="ts">
  import "@stowage/element/svelte";
</script>

<stowage-dropzone
  endpoint="/api/stowage"
  route="document"
  onstowage-uploaded={({ detail }) => console.log(detail.file.file_path)}
></stowage-dropzone>
`,
      "src/stowage.ts": HELPER,
      "src/routes/api/stowage/[...action]/+server.ts": `import { answer } from "../../../../stowage";\nconst handle = ({ request }: { request: Request }) => answer(request);\nexport { handle as GET, handle as POST, handle as OPTIONS };\n`,
      "tsconfig.json": JSON.stringify({
        // Since SvelteKit 3.2, which generates no file to extend.
        extends: "$app/tsconfig",
        include: ["src", "*"],
        compilerOptions: { strict: true, skipLibCheck: false, skipDefaultLibCheck: true, types: ["node"] },
      }),
    },
    build: ["vite/bin/vite.js", "build"],
    check: ["svelte-check/bin/svelte-check", "--tsconfig", "./tsconfig.json"],
  },
  nuxt: {
    title: "Nuxt",
    dependencies: {
      nuxt: "latest",
      vue: "latest",
      "vue-router": "latest",
      "vue-tsc": "latest",
      ...TYPESCRIPT_6,
    },
    files: {
      "nuxt.config.ts": `export default defineNuxtConfig({
  telemetry: false,
  compatibilityDate: "2026-11-01",
  vue: { compilerOptions: { isCustomElement: (tag) => tag.startsWith("stowage-") } },
});
`,
      "app/app.vue": `<script setup lang="ts">
import "@stowage/element/vue";
</script>

<template>
  <stowage-dropzone endpoint="/api/stowage" route="document" @stowage-uploaded="({ detail }) => console.log(detail.file.file_path)" />
</template>
`,
      "server/utils/stowage.ts": HELPER,
      "server/api/stowage/[...action].ts": `export default fromWebHandler((request: Request) => answer(request));\n`,
      "tsconfig.json": JSON.stringify({
        files: [],
        references: ["app", "server"].map((part) => ({ path: `./.nuxt/tsconfig.${part}.json` })),
      }),
    },
    build: ["nuxt/bin/nuxt.mjs", "build"],
    check: ["vue-tsc/bin/vue-tsc.js", "-b", "--noEmit"],
  },
  astro: {
    title: "Astro",
    dependencies: { astro: "latest", "@astrojs/node": "latest", "@astrojs/check": "latest", ...TYPESCRIPT_6 },
    files: {
      "astro.config.ts": `import node from "@astrojs/node";\nexport default { output: "server", adapter: node({ mode: "standalone" }) };\n`,
      "src/pages/index.astro": `---\n---\n<html lang="en"><body>
<stowage-dropzone endpoint="/api/stowage" route="document"></stowage-dropzone>
<script>
  import "@stowage/element";
  document.querySelector("stowage-dropzone")?.addEventListener("stowage-uploaded", ({ detail }) => console.log(detail.file.file_path));
</script>
</body></html>
`,
      "src/stowage.ts": HELPER,
      "src/pages/api/stowage/[...action].ts": `import type { APIRoute } from "astro";\nimport { answer } from "../../../stowage";\nexport const ALL: APIRoute = ({ request }) => answer(request);\n`,
      "tsconfig.json": JSON.stringify({
        extends: "astro/tsconfigs/strict",
        include: [".astro/types.d.ts", "src"],
        compilerOptions: { skipDefaultLibCheck: true, types: ["node"] },
      }),
    },
    build: ["astro/bin/astro.mjs", "build"],
    check: ["@astrojs/check/bin/astro-check.js"],
  },
};

export async function checkFrameworks({ folder, packed, only }) {
  const rows = [];
  const failures = [];
  // Some of them refuse Node 20.
  const tools = await install(join(folder, "node-for-frameworks"), { node: "24" });
  const bin = join(tools, "node_modules/node/bin");
  for (const [name, framework] of Object.entries(FRAMEWORKS)) {
    if (only !== undefined && only !== name) continue;
    console.error(`${framework.title} …`);
    const { cells, failure } = await checkFramework({ name, framework, folder, packed, bin });
    rows.push([framework.title, ...cells]);
    console.error(`  ${cells.join(" ")}`);
    if (failure !== undefined) failures.push(`${framework.title}: ${failure}`);
  }
  return { tables: [{ title: "Frameworks", header: ["", "version", "build", "types"], rows }], failures };
}

async function checkFramework({ name, framework, folder, packed, bin }) {
  const cwd = join(folder, `app-${framework.title.toLowerCase()}`);
  let version = "–";
  const cells = [];
  try {
    await install(cwd, { ...packed, ...framework.dependencies });
    version = versionOf(cwd, name);
    for (const [path, text] of Object.entries(framework.files)) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), text);
    }
    const env = {
      PATH: [bin, process.env.PATH].join(delimiter),
      NEXT_TELEMETRY_DISABLED: "1",
      ASTRO_TELEMETRY_DISABLED: "1",
      NUXT_TELEMETRY_DISABLED: "1",
    };
    for (const [step, [program, ...args]] of [
      ["build", framework.build],
      ["types", framework.check],
    ]) {
      const command = [join(cwd, "node_modules", program), ...args];
      const { status, output } = await run(join(bin, "node"), command, { cwd, timeoutMs: STEP_MS, env });
      cells.push(status === 0 ? "yes" : "**no**");
      if (status !== 0) throw new Error(`${step} ended with ${status}\n${lastLines(output, 30)}`);
    }
    return { cells: [version, ...cells] };
  } catch (error) {
    if (cells.length === 0) cells.push("**no**");
    return { cells: [version, ...cells, "–"].slice(0, 3), failure: error.message };
  }
}
