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

/** The typed reference: one page for each entry point. Declarations come from the snapshots that tests keep equal to the packages, and docstrings from the sources. */
export function readReference(): Page[] {
  const docstrings = new Map<string, Map<string, Docstring>>();
  const readOnce = (name: string) => {
    const known = docstrings.get(name) ?? readDocstrings(`packages/${name}`);
    docstrings.set(name, known);
    return known;
  };
  return listEntries().map((source) => {
    const packageName = packageOf(source);
    const find = (name: string): Docstring | undefined => {
      const found = [packageName, ...REEXPORTED_FROM]
        .map((each) => readOnce(each).get(name))
        .find((each) => each);
      return found?.alias === undefined || found.alias === name ? found : find(found.alias);
    };
    const { id, markdown } = renderSnapshot(readText(source), find);
    const description = `The names that ${id} exports, with their types and what they are for.`;
    return { source, slug: slugOf(source), title: id, description, markdown };
  });
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
 */
export function renderSnapshot(
  snapshot: string,
  find: (name: string) => Docstring | undefined,
): { id: string; markdown: string } {
  const { id, values, exported, others } = parseSnapshot(snapshot);
  const render = (declaration: Declaration) => renderDeclaration(declaration, find(declaration.name));
  return {
    id,
    markdown: [
      values.length > 0 ? `At run time: ${values.map((name) => `\`${name}\``).join(", ")}.` : "Types only.",
      "## Exported",
      ...exported.map(render),
      ...(others.length > 0 ? ["## Used by these", ...others.map(render)] : []),
      "",
    ].join("\n\n"),
  };
}

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
