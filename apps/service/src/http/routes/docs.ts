import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import { StowageError } from "@stowage/schemas";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pageHeaders } from "../page-headers.js";

export interface DocsRoutesDeps {
  /** Folder with the built documentation site (`apps/docs`), which has the Markdown of its pages too. */
  docsSiteDir: string;
  /** Folder with the Markdown of the documentation. It is served if the site was not built. */
  docsDir: string;
}

const PREFIX = "/docs";
const PLAIN_TEXT = "text/plain; charset=utf-8";

/** `GET /docs/…`: the documentation site and the Markdown of its pages, or only the Markdown where the site was not built. */
export async function docsRoutes(app: FastifyInstance, folders: DocsRoutesDeps): Promise<void> {
  if (!servesDocs(folders)) return;
  await app.register(
    async (scope) => {
      scope.addHook("onRequest", async (_request, reply) => void reply.headers(HEADERS));
      await (hasSite(folders)
        ? serveSite(scope, folders.docsSiteDir)
        : serveMarkdown(scope, folders.docsDir));
    },
    { prefix: PREFIX },
  );
}

/** Tells whether there are pages below `/docs/`. */
export const servesDocs = (folders: DocsRoutesDeps): boolean =>
  hasSite(folders) || existsSync(folders.docsDir);

const hasSite = ({ docsSiteDir }: DocsRoutesDeps): boolean => existsSync(join(docsSiteDir, "index.html"));

const HEADERS = pageHeaders([
  // The search runs a WebAssembly module.
  "script-src 'self' 'wasm-unsafe-eval'",
  // Highlighted code has its colors in style attributes.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
]);

async function serveSite(scope: FastifyInstance, root: string): Promise<void> {
  // Browsers would save Markdown instead of showing it. For compressed files the plugin sets the type after `setHeaders`.
  scope.addHook("onSend", async (_request, reply) => {
    if (String(reply.getHeader("content-type")).startsWith("text/markdown")) reply.type(PLAIN_TEXT);
  });
  await scope.register(fastifyStatic, {
    root,
    prefix: "/",
    preCompressed: true,
    dotfiles: "ignore",
    // A folder without the slash at its end. Relative addresses would lead elsewhere.
    redirect: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header(
        "Cache-Control",
        isNamedByContent(path) ? "public, max-age=31536000, immutable" : "no-cache",
      );
    },
  });
  // The router takes this for both addresses, with and without the slash at the end.
  scope.get("/", async ({ url }, reply) =>
    url.split("?", 1)[0] === PREFIX ? reply.redirect(`${PREFIX}/`, 301) : reply.sendFile("index.html"),
  );
  scope.setNotFoundHandler((request, reply) => {
    if (!isBrowser(request)) throw new StowageError("not_found");
    return notFound(reply).sendFile("404.html");
  });
}

/** Astro and Pagefind put a hash of the content into these names. */
const isNamedByContent = (path: string): boolean => /\/(_astro|pagefind\/(fragment|index))\//.test(path);

/** Serves the Markdown as plain text. Addresses of the site's pages lead to the Markdown of the page. */
async function serveMarkdown(scope: FastifyInstance, root: string): Promise<void> {
  await scope.register(fastifyStatic, {
    root,
    prefix: "/",
    decorateReply: false,
    index: false,
    cacheControl: false,
    allowedPath: (path) => path.endsWith(".md"),
    setHeaders: (reply) => void reply.type(PLAIN_TEXT),
  });
  scope.get("/", async (_request, reply) => reply.callNotFound());
  scope.setNotFoundHandler((request, reply) => {
    if (!isBrowser(request)) throw new StowageError("not_found");
    const slug = slugOf(request);
    const page = [`${slug}.md`, `${slug}/README.md`].find((name) => existsSync(join(root, name)));
    if (slug !== "" && page !== undefined) return reply.redirect(`${PREFIX}/${page}`, 302);
    return sendList(reply, root);
  });
}

/** The path below `/docs/` if it can be one of a page, otherwise an empty text. */
function slugOf({ url }: FastifyRequest): string {
  return /^\/docs\/([a-z0-9_-]+(?:\/[a-z0-9_-]+)*)\/?(?:\?|$)/.exec(url)?.[1] ?? "";
}

function sendList(reply: FastifyReply, root: string): FastifyReply {
  const guides = readdirSync(root).filter((name) => name.endsWith(".md"));
  const lines = [
    "There is no such page.",
    "",
    "This installation of Stowage has no documentation site: `npx pnpm build` makes it. Its pages are here as Markdown:",
    "",
    ...guides.toSorted().map((name) => `${PREFIX}/${name}`),
  ];
  return notFound(reply)
    .type(PLAIN_TEXT)
    .send(`${lines.join("\n")}\n`);
}

/** A page for people instead of the JSON of other errors, with the same code in its headers. */
function notFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).header("X-Error-Code", "not_found");
}

const isBrowser = ({ headers: { accept = "" } }: FastifyRequest): boolean => accept.includes("text/html");
