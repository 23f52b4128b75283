import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import fastifyStatic from "@fastify/static";
import { StowageError } from "@stowage/schemas";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { DashboardAddress } from "#auth/dashboard-address.js";
import { pageHeaders } from "../page-headers.js";

export interface DocsFolders {
  /** Folder with the built documentation site (`apps/docs`), which has the Markdown of its pages too. */
  docsSiteDir: string;
  /** Folder with the Markdown of the documentation. It is served if the site was not built. */
  docsDir: string;
}

export interface DocsRoutesDeps extends DocsFolders {
  dashboard: Pick<DashboardAddress, "basePath">;
}

const PREFIX = "/docs";
const PLAIN_TEXT = "text/plain; charset=utf-8";

/** `GET /docs/…`: the documentation site and the Markdown of its pages, or only the Markdown where the site was not built. */
export async function docsRoutes(app: FastifyInstance, deps: DocsRoutesDeps): Promise<void> {
  const { dashboard, ...folders } = deps;
  if (!servesDocs(folders)) return;
  await app.register(
    async (scope) => {
      scope.addHook("onRequest", async (_request, reply) => void reply.headers(HEADERS));
      await (hasSite(folders)
        ? serveSite(scope, folders.docsSiteDir, dashboard.basePath)
        : serveMarkdown(scope, folders.docsDir, dashboard.basePath));
    },
    { prefix: PREFIX },
  );
}

/** Tells whether there are pages below `/docs/`. */
export const servesDocs = (folders: DocsFolders): boolean => hasSite(folders) || existsSync(folders.docsDir);

const hasSite = ({ docsSiteDir }: DocsFolders): boolean => existsSync(join(docsSiteDir, "index.html"));

const HEADERS = pageHeaders([
  // The search runs a WebAssembly module.
  "script-src 'self' 'wasm-unsafe-eval'",
  // Highlighted code has its colors in style attributes.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
]);

async function serveSite(scope: FastifyInstance, root: string, basePath: string): Promise<void> {
  // Browsers would save Markdown instead of showing it. For compressed files the plugin sets the type after `setHeaders`.
  scope.addHook("onSend", async (_request, reply) => {
    if (String(reply.getHeader("content-type")).startsWith("text/markdown")) reply.type(PLAIN_TEXT);
  });
  const isMoved = basePath !== "";
  if (isMoved) addBasePath(scope, basePath);
  await scope.register(fastifyStatic, {
    root,
    prefix: "/",
    preCompressed: !isMoved,
    acceptRanges: !isMoved,
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
    url.split("?", 1)[0] === PREFIX
      ? reply.redirect(`${basePath}${PREFIX}/`, 301)
      : reply.sendFile("index.html"),
  );
  scope.setNotFoundHandler((request, reply) => {
    if (!isBrowser(request)) throw new StowageError("not_found");
    return notFound(reply).sendFile("404.html");
  });
}

const compress = promisify(gzip);

/** The site is built for `/docs/`. Below a path, this changes the addresses in its files, and then compresses them. */
function addBasePath(scope: FastifyInstance, basePath: string): void {
  scope.addHook("onSend", async (request, reply, payload: unknown) => {
    const location = reply.getHeader("location");
    // From the plugin, for a folder without the slash.
    if (String(location).startsWith(`${PREFIX}/`)) reply.header("Location", basePath + String(location));
    if (!/^text\/|javascript|json/.test(String(reply.getHeader("content-type")))) return payload;
    reply.removeHeader("Content-Length");
    reply.header("Vary", "accept-encoding");
    if (!(payload instanceof Readable)) return payload;
    // An address begins after a quote in HTML and scripts, and after a bracket in Markdown.
    const moved = (await text(payload)).replaceAll(/(?<=["(])\/docs(?=[/"])/g, `${basePath}${PREFIX}`);
    if (!/\bgzip\b/.test(String(request.headers["accept-encoding"]))) return moved;
    reply.header("Content-Encoding", "gzip");
    return compress(moved);
  });
}

/** Astro and Pagefind put a hash of the content into these names. */
const isNamedByContent = (path: string): boolean => /\/(_astro|pagefind\/(fragment|index))\//.test(path);

/** Serves the Markdown as plain text. Addresses of the site's pages lead to the Markdown of the page. */
async function serveMarkdown(scope: FastifyInstance, root: string, basePath: string): Promise<void> {
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
    if (slug !== "" && page !== undefined) return reply.redirect(`${basePath}${PREFIX}/${page}`, 302);
    return sendList(reply, root, basePath + PREFIX);
  });
}

/** The path below `/docs/` if it can be one of a page, otherwise an empty text. */
function slugOf({ url }: FastifyRequest): string {
  return /^\/docs\/([a-z0-9_-]+(?:\/[a-z0-9_-]+)*)\/?(?:\?|$)/.exec(url)?.[1] ?? "";
}

function sendList(reply: FastifyReply, root: string, prefix: string): FastifyReply {
  const guides = readdirSync(root).filter((name) => name.endsWith(".md"));
  const lines = [
    "There is no such page.",
    "",
    "This installation of Stowage has no documentation site: `npx pnpm build` makes it. Its pages are here as Markdown:",
    "",
    ...guides.toSorted().map((name) => `${prefix}/${name}`),
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
