import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { BASE } from "../content/addresses.js";
import { listHtml } from "./list-html.js";

/**
 * Moves the scripts inside of pages into files, so that a Content-Security-Policy with `script-src 'self'` lets them run. Starlight
 * writes some into each page, for example to set the theme before the first paint. They run at the same moment as before.
 */
export function externalScripts(): AstroIntegration {
  return {
    name: "external-scripts",
    hooks: {
      "astro:build:done": async ({ dir }) => {
        const root = fileURLToPath(dir);
        for (const path of await listHtml(root)) {
          const { html, scripts } = moveScripts(await readFile(path, "utf8"));
          for (const { name, code } of scripts) await writeFile(join(root, "_astro", name), code);
          await writeFile(path, html);
        }
      },
    },
  };
}

/** A script without `src`. Data, such as `type="application/json"`, does not run. */
const INLINE = /<script((?:\s(?!src=|type="application)[^\s>]+)*)>([\s\S]*?)<\/script>/g;

/** Replaces each script of a page by a reference to a file that is named after its content. */
export function moveScripts(page: string): { html: string; scripts: { name: string; code: string }[] } {
  const scripts: { name: string; code: string }[] = [];
  const html = page.replaceAll(INLINE, (_, attributes: string, code: string) => {
    const name = `inline.${createHash("sha256").update(code).digest("hex").slice(0, 12)}.js`;
    scripts.push({ name, code });
    return `<script${attributes} src="${BASE}/_astro/${name}"></script>`;
  });
  return { html, scripts };
}
