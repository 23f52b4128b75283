/** The path under which the site is served. `astro.config.ts` and the service use the same one. */
export const BASE = "/docs";

/** The address of a page. @param slug such as `errors/not_found`; empty for the first page */
export const pageAddress = (slug: string): string => (slug === "" ? `${BASE}/` : `${BASE}/${slug}/`);

/** The address of a page's Markdown. */
export const markdownAddress = (slug: string): string => `${BASE}/${markdownPath(slug)}.md`;

export const markdownPath = (slug: string): string => (slug === "" ? "index" : slug);

/** The address of a file of the repository that a page links to or shows. */
export const fileAddress = (path: string): string => `${BASE}/files/${publishedName(path)}`;

const SHOWN_AS_THEY_ARE = /\.(png|svg|webp|gif|jpg)$/;

/**
 * Sources get `.txt`, so that every host lets browsers show them. Some hosts would call TypeScript a video. The service, as many
 * hosts, serves no file in a folder whose name begins with a dot, such as `.github`.
 */
export function publishedName(path: string): string {
  const visible = path.replaceAll(/(^|\/)\./g, "$1");
  return SHOWN_AS_THEY_ARE.test(visible) ? visible : `${visible}.txt`;
}

/**
 * The slug of a Markdown file: its path without `docs/`, `lab/` and `.md`. A README is the page of its folder.
 * The snapshot of a package's types is a page of the reference.
 *
 * @example slugOf("docs/errors/README.md") // "errors"
 */
export function slugOf(source: string): string {
  const [, entry] = /^tooling\/as-published\/api\/(.+)\.txt$/.exec(source) ?? [];
  if (entry !== undefined) return `reference/${entry.replace(/\.index$/, "").replaceAll(".", "/")}`;
  return source
    .replace(/\.md$/, "")
    .replace(/(^|\/)README$/, "")
    .replace(/^(docs|lab)\//, "")
    .toLowerCase();
}
