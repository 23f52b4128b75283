import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** The registry that npm on this machine uses, and how it reaches that. Registries that need a login are not supported. */
export interface Upstream {
  url: string;
  /** Certificate authorities in PEM format. */
  ca: string | undefined;
  /** The URL of an HTTP proxy. */
  proxy: string | undefined;
}

/** Asks npm for its settings, which are in several files and in the environment. */
export async function readUpstream(): Promise<Upstream> {
  const names = ["registry", "cafile", "https-proxy"];
  const { stdout } = await promisify(execFile)("npm", ["config", "get", ...names], {
    timeout: 30_000,
    shell: process.platform === "win32",
  });
  const values = new Map(stdout.split("\n").map((line) => split(line.trim())));
  const read = (name: string) => {
    const value = values.get(name);
    return value && value !== "null" && value !== "undefined" ? value : undefined;
  };
  const cafile = read("cafile");
  return {
    url: read("registry") ?? "https://registry.npmjs.org/",
    ca: cafile ? await readFile(cafile, "utf8") : undefined,
    proxy: read("https-proxy"),
  };
}

/** Splits `name=value`. The value may contain `=`. */
function split(line: string): [string, string] {
  const at = line.indexOf("=");
  return [line.slice(0, at), line.slice(at + 1)];
}
