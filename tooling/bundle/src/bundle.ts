import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type InlineConfig, type Plugin, type Rolldown } from "vite";

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
 * Bundles the code that it adds to a page with React, built by Vite for production: what the page loads first, without what is
 * imported on demand.
 */
export function bundleForPage({ fromSource = false, ...source }: Source): Promise<Bundle> {
  const conditions = [...(fromSource ? ["source"] : []), "module", "browser", "production"];
  return bundle(source, {
    resolve: { conditions },
    // Without these two, a test's own mode would include the development checks.
    define: { "process.env.NODE_ENV": '"production"' },
    oxc: { jsx: { runtime: "automatic", development: false } },
    build: { rolldownOptions: { external: /^react(-dom)?($|\/)/, preserveEntrySignatures: "strict" } },
  });
}

/** Bundles the code that it adds to a server: built by Vite for Node and production, in one file with all dependencies. */
export function bundleForServer({ fromSource = false, ...source }: Source): Promise<Bundle> {
  const conditions = [...(fromSource ? ["source"] : []), "module", "node", "production"];
  return bundle(source, {
    resolve: { conditions },
    ssr: { noExternal: true, resolve: { conditions } },
    build: {
      ssr: true,
      target: "node20",
      minify: true,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
}

/** @throws {Error} if the build fails */
async function bundle({ code, folder }: Source, config: InlineConfig): Promise<Bundle> {
  const entry = join(folder, "measured-entry.js");
  const { NODE_ENV } = process.env;
  const building = build({
    ...config,
    configFile: false,
    root: folder,
    mode: "production",
    logLevel: "error",
    plugins: [virtualModule(entry, code)],
    build: {
      ...config.build,
      write: false,
      rolldownOptions: { ...config.build?.rolldownOptions, input: entry },
    },
  });
  const built = (await building.finally(() => {
    // Vite sets it to "production", which the next test of the same process must not see.
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  })) as Rolldown.RolldownOutput;
  const chunks = built.output.filter((file) => file.type === "chunk");
  const first = loadedFirst(chunks).map((chunk) => chunk.code);
  const gzipBytes = first.reduce((sum, chunk) => sum + gzipSync(chunk, { level: 9 }).length, 0);
  return { code: first.join("\n"), gzipBytes };
}

/** The entry and the chunks that it imports statically. */
function loadedFirst(chunks: Rolldown.OutputChunk[]): Rolldown.OutputChunk[] {
  const loaded = new Set(chunks.filter(({ isEntry }) => isEntry));
  for (const { imports } of loaded) {
    for (const chunk of chunks.filter(({ fileName }) => imports.includes(fileName))) loaded.add(chunk);
  }
  return [...loaded];
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
