import type { APIRoute } from "astro";
import { markdownAddress, slugOf } from "../content/addresses.js";
import { completeNavigation } from "../content/read-pages.js";

/** A list of all pages of the menu for language models: https://llmstxt.org */
export const GET: APIRoute = () => {
  const groups = completeNavigation().map(({ label, pages }) => {
    const lines = pages.map(
      ({ source, title, description }) => `- [${title}](${markdownAddress(slugOf(source))}): ${description}`,
    );
    return `## ${label}\n\n${lines.join("\n")}\n`;
  });
  const summary =
    "> File storage for SaaS teams: uploads go straight to S3-compatible storage, with a quota for each user.";
  return new Response(["# Stowage\n", `${summary}\n`, ...groups].join("\n"));
};
