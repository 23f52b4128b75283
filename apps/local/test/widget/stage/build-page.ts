import { fileURLToPath } from "node:url";
import { trimDropzone } from "@stowage/dropzone";
import { build } from "vite";

const PAGE = fileURLToPath(new URL("./page", import.meta.url));

/** Builds the stage's page from the packages' sources: as customers ship it, or with React's development checks. */
export async function buildPage(mode: "production" | "development", outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: PAGE,
    mode,
    logLevel: "error",
    oxc: { jsx: { runtime: "automatic", development: mode === "development" } },
    define: { "process.env.NODE_ENV": JSON.stringify(mode) },
    // As in what is published.
    plugins: [trimDropzone()],
    resolve: { conditions: ["source", "browser", "module", "import", "default", mode] },
    build: { outDir, emptyOutDir: true, minify: mode === "production", modulePreload: { polyfill: false } },
  });
}
