import { fileAddress, markdownAddress, pageAddress } from "./addresses.js";
import { type Link, linksOf, rewriteLinks } from "./links.js";
import type { Page } from "./page.js";
import { readPages } from "./read-pages.js";
import { kindOf } from "./repository.js";

/** Where the links of the repository lead on the site. */
export interface SiteLinks {
  /** The page's Markdown with the addresses of the site's pages. */
  forBrowsers(page: Page): string;
  /** The page's Markdown with the addresses of the Markdown of the site's pages. */
  forMarkdown(page: Page): string;
  /** The files of the repository that pages link to or show. The site publishes copies. */
  files: readonly string[];
  /** Links that lead nowhere, as `source: url`. */
  dead: readonly string[];
}

/** Resolves the links of all pages. A folder is the page of its README. */
export function createSiteLinks(pages: readonly Page[]): SiteLinks {
  const bySource = new Map(pages.map((page) => [page.source, page]));
  const pageOf = ({ path }: Link) => bySource.get(path) ?? bySource.get(`${path}/README.md`);

  const files = new Set<string>();
  const dead: string[] = [];
  for (const { source, markdown } of pages) {
    for (const link of linksOf(markdown, source)) {
      if (pageOf(link) !== undefined) continue;
      if (kindOf(link.path) === "file") files.add(link.path);
      else dead.push(`${source}: ${link.url}`);
    }
  }

  const rewrite = ({ source, markdown }: Page, addressOf: (slug: string) => string) =>
    rewriteLinks(markdown, source, (link) => {
      const target = pageOf(link);
      return target === undefined ? fileAddress(link.path) + link.hash : addressOf(target.slug) + link.hash;
    });
  return {
    forBrowsers: (page) => rewrite(page, pageAddress),
    forMarkdown: (page) => rewrite(page, markdownAddress),
    files: [...files].toSorted(),
    dead,
  };
}

interface Site {
  pages: readonly Page[];
  links: SiteLinks;
}

let site: Site | undefined;

/** All pages with their links. They are read once for each build, because parsing them takes seconds. */
export function readSite(): Site {
  if (site === undefined) {
    const pages = readPages();
    const links = createSiteLinks(pages);
    if (links.dead.length > 0) throw new Error(`Links that lead nowhere:\n${links.dead.join("\n")}`);
    site = { pages, links };
  }
  return site;
}
