import { groupOf, type NavigationGroup, navigation } from "../navigation.js";
import { slugOf } from "./addresses.js";
import { type Page, paragraphUnder, plainText, splitTitle } from "./page.js";
import { readReference, referenceGroup } from "./reference.js";
import { kindOf, listFolders, listMarkdown, readText } from "./repository.js";

/** The navigation, with the guides and the packages' readmes that it does not name at the end of their groups, and the typed reference. */
export function completeNavigation(): readonly NavigationGroup[] {
  const named = new Set(navigation.flatMap(({ pages }) => pages.map(({ source }) => source)));
  const readmes = listFolders("packages").map((folder) => `${folder}/README.md`);
  const others = [...listMarkdown("docs"), ...listMarkdown("docs/guides"), ...readmes]
    .filter((source) => !named.has(source) && kindOf(source) === "file")
    .map((source) => {
      const { heading, body } = splitTitle(readText(source));
      return { source, title: heading, description: firstParagraph(body) };
    });
  const groups = navigation.map((group) => ({
    ...group,
    pages: [...group.pages, ...others.filter(({ source }) => groupOf(source) === group.label)],
  }));
  const typesAt = groups.findIndex(({ label }) => label === "Packages") + 1;
  return [...groups.slice(0, typesAt), referenceGroup(), ...groups.slice(typesAt)];
}

/** Reads all pages: those of the navigation, in its order, and then one page for each error code and each decision. */
export function readPages(): Page[] {
  const listed = completeNavigation()
    .flatMap(({ pages }) => pages)
    .filter(({ source }) => source.endsWith(".md"))
    .map(({ source, title, description }): Page => {
      const { body } = splitTitle(readText(source));
      return { source, slug: slugOf(source), title, description, markdown: body };
    });
  const sources = new Set(listed.map(({ source }) => source));
  const notListed = (folder: string) => listMarkdown(folder).filter((source) => !sources.has(source));
  return [
    ...listed,
    ...readReference(),
    ...notListed("docs/errors").map((source) =>
      readUnlisted(source, (body) => paragraphUnder(body, "Cause")),
    ),
    ...notListed("docs/decisions").map((source) => readUnlisted(source, firstParagraph)),
  ];
}

function readUnlisted(source: string, describe: (body: string) => string): Page {
  const { heading, body } = splitTitle(readText(source));
  return { source, slug: slugOf(source), title: heading, description: describe(body), markdown: body };
}

const firstParagraph = (body: string): string => plainText(body.split(/\n\s*\n/, 1)[0] ?? "");
