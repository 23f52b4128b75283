import { posix } from "node:path";
import GithubSlugger from "github-slugger";
import type { Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { toString } from "mdast-util-to-string";
import { gfm } from "micromark-extension-gfm";
import { visit } from "unist-util-visit";

/** A link or an image of a Markdown page that points into the repository. */
export interface Link {
  /** As it is written, such as `../helper.md#routes`. */
  url: string;
  /** Relative to the root of the repository, without the part after `#`. */
  path: string;
  /** The part from `#` on, or an empty text. */
  hash: string;
}

/** Each page is parsed once, because this takes most of the time of reading the site. */
const parsed = new Map<string, Root>();

/** Parses a page as GitHub does. */
export function parseMarkdown(markdown: string): Root {
  const known = parsed.get(markdown);
  if (known !== undefined) return known;
  const root = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  parsed.set(markdown, root);
  return root;
}

/** Lists the links of a page that point into the repository. A link to a heading of the same page has the page's own path. */
export function linksOf(markdown: string, source: string): Link[] {
  return urlsOf(markdown).map(({ url }) => resolve(url, source));
}

/** Replaces the addresses of all links that point into the repository. Everything else of the text stays as it is. */
export function rewriteLinks(markdown: string, source: string, addressOf: (link: Link) => string): string {
  let rewritten = markdown;
  // From the end, so that the earlier positions stay valid.
  for (const { url, offset } of urlsOf(markdown).toReversed()) {
    if (url.startsWith("#")) continue;
    const address = addressOf(resolve(url, source));
    rewritten = rewritten.slice(0, offset) + address + rewritten.slice(offset + url.length);
  }
  return rewritten;
}

/** The ids that GitHub and the site give to the headings of a page. */
export function headingIds(markdown: string): Set<string> {
  const slugger = new GithubSlugger();
  const ids = new Set<string>();
  visit(parseMarkdown(markdown), "heading", (heading) => void ids.add(slugger.slug(toString(heading))));
  return ids;
}

function resolve(url: string, source: string): Link {
  const [path = "", hash] = url.split("#");
  return {
    url,
    path: path === "" ? source : posix.join(posix.dirname(source), path).replace(/\/$/, ""),
    hash: hash === undefined ? "" : `#${hash}`,
  };
}

/** Finds where the URLs are written that have no scheme and no host, in the order of the text. */
function urlsOf(markdown: string): { url: string; offset: number }[] {
  const found: { url: string; offset: number }[] = [];
  visit(parseMarkdown(markdown), (node) => {
    const start = node.position?.start.offset ?? 0;
    const text = markdown.slice(start, node.position?.end.offset);
    for (const url of urlsIn(node)) {
      // The text of a link can contain its address too: the address comes last. In HTML the first one counts.
      const at = node.type === "html" ? text.indexOf(url) : text.lastIndexOf(url);
      if (!/^([a-z][a-z+.-]*:|\/\/)/i.test(url) && at >= 0) found.push({ url, offset: start + at });
    }
  });
  return found.toSorted((a, b) => a.offset - b.offset);
}

function urlsIn(node: Nodes): string[] {
  if (node.type === "link" || node.type === "image" || node.type === "definition") return [node.url];
  if (node.type !== "html") return [];
  return [...node.value.matchAll(/\b(?:src|srcset|href)="([^"\s]+)"/g)].flatMap(([, url]) => url ?? []);
}
