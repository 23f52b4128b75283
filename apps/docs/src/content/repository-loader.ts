import type { Loader } from "astro/loaders";
import { readSite } from "./site-links.js";

/** Loads the pages of the site from the Markdown of this repository. */
export function repositoryLoader(): Loader {
  return {
    name: "repository",
    async load({ store, parseData, renderMarkdown }) {
      const { pages, links } = readSite();
      store.clear();
      for (const page of pages) {
        const id = page.slug === "" ? "index" : page.slug;
        const { title, description } = page;
        const markdown = links.forBrowsers(page);
        store.set({
          id,
          data: await parseData({ id, data: { title, description } }),
          body: markdown,
          rendered: await renderMarkdown(markdown),
        });
      }
    },
  };
}
