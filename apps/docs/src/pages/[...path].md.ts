import type { APIRoute, GetStaticPaths } from "astro";
import { markdownPath } from "../content/addresses.js";
import { readSite } from "../content/site-links.js";

/** The Markdown of each page, at the page's address with `.md`. */
export const getStaticPaths = (() => {
  const { pages, links } = readSite();
  return pages.map((page) => ({
    params: { path: markdownPath(page.slug) },
    props: { text: `# ${page.title}\n\n${links.forMarkdown(page)}` },
  }));
}) satisfies GetStaticPaths;

export const GET: APIRoute<{ text: string }> = ({ props }) => new Response(props.text);
