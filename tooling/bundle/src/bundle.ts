import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build as buildPage, type Metafile } from "esbuild";
import { build as buildServer, type Plugin, type Rolldown } from "vite";

export interface Source {
  /** A module with the exports to measure, such as `export { useUpload } from "@stowage/react";`. */
  code: string;
  /** The folder from which its imports are resolved. */
  folder: string;
  /** Bundles the sources of the workspace packages instead of their builds. */
  fromSource?: boolean;
}

export interface Bundle {
  code: string;
  gzipBytes: number;
}

/**
 * Bundles the code that it adds to a page with React, built by esbuild for production: what the page loads first, without what is
 * imported on demand. esbuild splits less cleverly than others: it loads a module first if the first view uses any module of the same
 * `index`. So a package that is small here is small with other bundlers, too.
 */
export async function bundleForPage({ code, folder, fromSource = false }: Source): Promise<Bundle> {
  const { outputFiles, metafile } = await buildPage({
    stdin: { contents: code, resolveDir: folder },
    absWorkingDir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    jsx: "automatic",
    conditions: [...(fromSource ? ["source"] : []), "module", "production"],
    define: { "process.env.NODE_ENV": '"production"' },
    external: ["react", "react-dom"],
    outdir: "built",
    write: false,
    metafile: true,
    logLevel: "error",
  });
  const first = loadedFirst(metafile).map((path) => join(folder, path));
  return sizeOf(outputFiles.filter(({ path }) => first.includes(path)).map(({ text }) => text));
}

/** The entry and the chunks that it imports statically. */
function loadedFirst({ outputs }: Metafile): string[] {
  const entries = Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === "<stdin>");
  const loaded = new Set(entries);
  for (const path of loaded) {
    for (const { path: imported, kind, external } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement" && !external) loaded.add(imported);
    }
  }
  return [...loaded];
}

function sizeOf(chunks: string[]): Bundle {
  const gzipBytes = chunks.reduce((sum, chunk) => sum + gzipSync(chunk, { level: 9 }).length, 0);
  return { code: chunks.join("\n"), gzipBytes };
}

/**
 * Bundles the code that it adds to a server: built by Vite for Node and production, in one file with all dependencies.
 *
 * @throws {Error} if the build fails
 */
export async function bundleForServer({ code, folder, fromSource = false }: Source): Promise<Bundle> {
  const conditions = [...(fromSource ? ["source"] : []), "module", "node", "production"];
  const entry = join(folder, "measured-entry.js");
  const { NODE_ENV } = process.env;
  const building = buildServer({
    configFile: false,
    root: folder,
    mode: "production",
    logLevel: "error",
    resolve: { conditions },
    ssr: { noExternal: true, resolve: { conditions } },
    plugins: [virtualModule(entry, code)],
    build: {
      ssr: true,
      target: "node20",
      minify: true,
      write: false,
      rolldownOptions: { input: entry, output: { codeSplitting: false } },
    },
  });
  const built = (await building.finally(() => {
    // Vite sets it to "production", which the next test of the same process must not see.
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  })) as Rolldown.RolldownOutput;
  return sizeOf(built.output.flatMap((file) => (file.type === "chunk" ? file.code : [])));
}

/** Provides a module that is not on the disk. */
function virtualModule(id: string, code: string): Plugin {
  return {
    name: "virtual-entry",
    enforce: "pre",
    resolveId: (source) => (source === id ? id : null),
    load: (requested) => (requested === id ? code : null),
  };
}
