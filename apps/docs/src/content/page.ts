/** A page of the site. */
export interface Page {
  /** The Markdown file, relative to the root of the repository. */
  source: string;
  slug: string;
  title: string;
  /** One sentence for search engines and `llms.txt`. */
  description: string;
  /** The text without its first heading. The links lead to files of the repository. */
  markdown: string;
}

/** Splits a Markdown file into its first heading and the rest, without the comment that says how the file was generated. */
export function splitTitle(text: string): { heading: string; body: string } {
  const [, heading = "", body = ""] = /^(?:<!--[\s\S]*?-->\s*)?# (.*)\n([\s\S]*)$/.exec(text) ?? [];
  if (heading === "") throw new Error("The page does not begin with a heading");
  return { heading: heading.replaceAll("`", ""), body: body.trimStart() };
}

/** The first paragraph under a heading, as plain text in one line. */
export function paragraphUnder(body: string, heading: string): string {
  const paragraph =
    body
      .split(`\n## ${heading}\n`)[1]
      ?.trim()
      .split(/\n\s*\n/, 1)[0] ?? "";
  return plainText(paragraph);
}

/** Removes links and code marks of one paragraph. */
export function plainText(paragraph: string): string {
  return paragraph
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
