import type { APIRoute } from "astro";
import { pageAddress } from "../content/addresses.js";
import { readSite } from "../content/site-links.js";

/** All pages in one text for language models, except the decisions: https://llmstxt.org */
export const GET: APIRoute = () => {
  const { pages, links } = readSite();
  const texts = pages
    .filter(({ slug }) => !slug.startsWith("decisions/"))
    .map((page) => `# ${page.title}\n\nAddress: ${pageAddress(page.slug)}\n\n${links.forMarkdown(page)}`);
  return new Response(texts.join("\n\n---\n\n"));
};
