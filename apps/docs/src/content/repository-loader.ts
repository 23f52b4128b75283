import type { Loader } from "astro/loaders";
import { readSite } from "./site-links.js";

/** Loads the pages of the site from the Markdown of this repository. */
export function repositoryLoader(): Loader {
  return {
    name: "repository",
    async load({ store, parseData, renderMarkdown }) {
      const { pages, links } = readSite();
      const entries: Parameters<typeof store.set>[0][] = [];
      for (const page of pages) {
        const id = page.slug === "" ? "index" : page.slug;
        const { title, description } = page;
        const markdown = links.forBrowsers(page);
        entries.push({
          id,
          data: await parseData({ id, data: { title, description } }),
          body: markdown,
          rendered: await renderMarkdown(markdown),
        });
      }
      // All at once: Astro saves the store 500 ms after a change, and a save of half the pages can replace the save of all.
      store.clear();
      for (const entry of entries) store.set(entry);
    },
  };
}
