import type { NavigationGroup } from "../navigation.js";
import { slugOf } from "./addresses.js";
import { type Docstring, readDocstrings } from "./docstrings.js";
import type { Page } from "./page.js";
import { listFiles, readText } from "./repository.js";

/**
 * The entry points of the published packages, without translations, without the element's types for templates, which export no name,
 * and without the wire: `docs/api.md` describes it.
 */
const ENTRIES =
  /\/(?:(?:server|client|react|dev-store|dev-postgres)\.(?!locales\.)[\w.]+|element\.index|schemas\.(?:errors|rules))\.txt$/;

/** The packages whose names other packages export again, and the package that these come from. */
const REEXPORTED_FROM = ["client", "schemas"];

/** The packages whose pages show a declaration that others have too, in this order. */
const HOME_ORDER = ["schemas", "client", "react", "server", "element"];

/** The typed reference: one page for each entry point. Declarations come from the snapshots that tests keep equal to the packages, and docstrings from the sources. */
export function readReference(): Page[] {
  const docstrings = new Map<string, Map<string, Docstring>>();
  const readOnce = (name: string) => {
    const known = docstrings.get(name) ?? readDocstrings(`packages/${name}`);
    docstrings.set(name, known);
    return known;
  };
  const entries = listEntries().map((source) => {
    const find = (name: string): Docstring | undefined => {
      const found = [packageOf(source), ...REEXPORTED_FROM]
        .map((each) => readOnce(each).get(name))
        .find((each) => each);
      return found?.alias === undefined || found.alias === name ? found : find(found.alias);
    };
    return { source, snapshot: readText(source), find };
  });
  const homes = findHomes(entries);
  return entries.map(({ source, snapshot, find }) => {
    const { id, markdown } = renderSnapshot(snapshot, find, (section) => {
      const home = homes.get(section);
      return home?.source === source ? undefined : home;
    });
    const description = `The names that ${id} exports, with their types and what they are for.`;
    return { source, slug: slugOf(source), title: id, description, markdown };
  });
}

/** The page that shows a declaration. Other pages link to it. */
export interface Home {
  id: string;
  source: string;
}

/** Chooses the page of each declaration: the first package of HOME_ORDER that has it, and of its pages first the index. */
function findHomes(
  entries: readonly { source: string; snapshot: string; find: (name: string) => Docstring | undefined }[],
): Map<string, Home> {
  const isIndex = ({ source }: { source: string }) => source.endsWith(".index.txt");
  const indexesFirst = [...entries.filter(isIndex), ...entries.filter((entry) => !isIndex(entry))];
  const sorted = HOME_ORDER.flatMap((name) =>
    indexesFirst.filter(({ source }) => packageOf(source) === name),
  );
  const homes = new Map<string, Home>();
  for (const { source, snapshot, find } of sorted) {
    const { id, exported, others } = parseSnapshot(snapshot);
    for (const declaration of [...exported, ...others]) {
      const section = renderDeclaration(declaration, find(declaration.name));
      if (!homes.has(section)) homes.set(section, { id, source });
    }
  }
  return homes;
}

export const listEntries = (): string[] =>
  listFiles("tooling/as-published/api", ".txt").filter((source) => ENTRIES.test(source));

const packageOf = (source: string): string => /([\w-]+)\.[\w.]+\.txt$/.exec(source)?.[1] ?? "";

export function referenceGroup(): NavigationGroup {
  return { label: "Types", isCollapsed: true, pages: readReference() };
}

/**
 * Turns a snapshot into Markdown: a heading, the docstring and a code block for each declaration, the exported ones first.
 *
 * @param find the docstring of a name
 * @param homeOf the other page that has this section, if this page shall only link to it
 */
export function renderSnapshot(
  snapshot: string,
  find: (name: string) => Docstring | undefined,
  homeOf: (section: string) => Home | undefined = () => undefined,
): { id: string; markdown: string } {
  const { id, values, exported, others } = parseSnapshot(snapshot);
  const toSection = (declaration: Declaration): Section => {
    const text = renderDeclaration(declaration, find(declaration.name));
    return { title: declaration.title, text, home: homeOf(text) };
  };
  const used = others.map(toSection);
  const here = used.filter(({ home }) => home === undefined).map(({ text }) => text);
  const elsewhere = used.flatMap(({ title, home }) => (home ? [linkTo(home, title, title)] : []));
  return {
    id,
    markdown: [
      values.length > 0 ? `At run time: ${values.map((name) => `\`${name}\``).join(", ")}.` : "Types only.",
      "## Exported",
      ...exported.map(toSection).map(renderExported),
      ...(others.length > 0 ? ["## Used by these", ...here] : []),
      ...(elsewhere.length > 0 ? [`On other pages: ${elsewhere.join(", ")}.`] : []),
      "",
    ].join("\n\n"),
  };
}

/** A declaration as Markdown, and the other page that shows it. */
interface Section {
  title: string;
  text: string;
  home: Home | undefined;
}

const renderExported = ({ title, text, home }: Section): string =>
  home ? `### ${title}\n\nThe same as in ${linkTo(home, title, home.id)}.` : text;

/** Snapshots are in one folder, so a link is a file name. */
const linkTo = ({ source }: Home, title: string, text: string): string =>
  `[\`${text}\`](${source.replace(/^.*\//, "")}#${title.toLowerCase()})`;

interface Declaration {
  /** The name in the sources. */
  name: string;
  /** The name that customers import. */
  title: string;
  text: string;
}

export function parseSnapshot(snapshot: string) {
  const [id = "", runtime = "", ...texts] = snapshot.trimEnd().split("\n\n");
  const declarations = texts.map((text): Declaration => {
    const [, declared, reexported] = NAME.exec(text) ?? [];
    const name = declared ?? reexported ?? "Other";
    return { name, title: /^\/\/ exported as (\w+)/.exec(text)?.[1] ?? name, text };
  });
  const isExported = ({ text }: Declaration) => /^(?:\/\/.*\n)?export /.test(text);
  return {
    id,
    values: runtime.split("\n").slice(1),
    exported: declarations.filter(isExported),
    others: declarations.filter((each) => !isExported(each)),
  };
}

const NAME = /(?:function|interface|class|type|const|enum|namespace) (\w+)|\{ (\w+) \}/;

function renderDeclaration({ title, text }: Declaration, docstring: Docstring | undefined): string {
  const parts = [
    `### ${title}`,
    docstring?.text ?? "",
    `\`\`\`ts\n${docstring?.declaration ?? text}\n\`\`\``,
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}
