import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type InlineConfig, type Plugin, type Rolldown } from "vite";

export interface Source {
  /** A module that exports what is weighed, such as `export { useUpload } from "@stowage/react";`. */
  code: string;
  /** The folder in which it would lie. */
  folder: string;
  /** Takes packages of the workspace as they are written, not as they are built. */
  unbuilt?: boolean;
  plugins?: Rolldown.Plugin[];
}

export interface Bundle {
  code: string;
  gzipBytes: number;
}

/** What it adds to a page that has React: built by Vite for production, in one file. */
export function bundleForPage({ unbuilt = false, ...source }: Source): Promise<Bundle> {
  const conditions = [...(unbuilt ? ["source"] : []), "module", "browser", "production"];
  return bundle(source, {
    resolve: { conditions },
    // Without these two, a test's own mode would bring the help for developers along.
    define: { "process.env.NODE_ENV": '"production"' },
    oxc: { jsx: { runtime: "automatic", development: false } },
    build: { rolldownOptions: { external: /^react(-dom)?($|\/)/, preserveEntrySignatures: "strict" } },
  });
}

/** What it adds to a server: built by Vite for Node and for production, in one file with all that it depends on. */
export function bundleForServer({ unbuilt = false, ...source }: Source): Promise<Bundle> {
  const conditions = [...(unbuilt ? ["source"] : []), "module", "node", "production"];
  return bundle(source, {
    resolve: { conditions },
    ssr: { noExternal: true, resolve: { conditions } },
    build: { ssr: true, target: "node20", minify: true },
  });
}

/** @throws {Error} when it does not build, or comes to more than one file */
async function bundle({ code, folder, plugins = [] }: Source, config: InlineConfig): Promise<Bundle> {
  const entry = join(folder, "what-is-weighed.js");
  const built = (await build({
    ...config,
    configFile: false,
    root: folder,
    mode: "production",
    logLevel: "error",
    // Vite takes Rolldown's plugins, which its types do not know.
    plugins: [...(plugins as Plugin[]), virtual(entry, code)],
    build: {
      ...config.build,
      write: false,
      rolldownOptions: { ...config.build?.rolldownOptions, input: entry, output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput;
  const [chunk, another] = built.output.filter(({ type }) => type === "chunk");
  if (chunk?.type !== "chunk" || another !== undefined) throw new Error(`${code} is not one file`);
  return { code: chunk.code, gzipBytes: gzipSync(chunk.code, { level: 9 }).length };
}

/** A module that is on no disk. */
function virtual(id: string, code: string): Plugin {
  return {
    name: "what-is-weighed",
    enforce: "pre",
    resolveId: (asked) => (asked === id ? id : null),
    load: (asked) => (asked === id ? code : null),
  };
}
