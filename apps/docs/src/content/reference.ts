import type { NavigationGroup } from "../navigation.js";
import { slugOf } from "./addresses.js";
import type { Page } from "./page.js";
import { listFiles, readText } from "./repository.js";

/** The packages that customers import, and their entry points without the translations. */
const ENTRIES = /\/(server|client|react|element)\.(?!locales\.|internals\.)[\w.]+\.txt$/;

/** The typed reference: one page for each entry point, from the snapshots that tests keep equal to the packages. */
export function readReference(): Page[] {
  return listFiles("tooling/as-published/api", ".txt")
    .filter((source) => ENTRIES.test(source))
    .map((source) => {
      const { id, markdown } = renderSnapshot(readText(source));
      const description = `The names that ${id} exports, with their types.`;
      return { source, slug: slugOf(source), title: id, description, markdown };
    });
}

export function referenceGroup(): NavigationGroup {
  return { label: "Types", isCollapsed: true, pages: readReference() };
}

/** Turns a snapshot into Markdown: a heading and a code block for each declaration, the exported ones first. */
export function renderSnapshot(snapshot: string): { id: string; markdown: string } {
  const [id = "", runtime = "", ...declarations] = snapshot.trimEnd().split("\n\n");
  const names = runtime.split("\n").slice(1);
  const isExported = (text: string) => /^(?:\/\/.*\n)?export /.test(text);
  const others = declarations.filter((text) => !isExported(text));
  return {
    id,
    markdown: [
      names.length > 0 ? `At run time: ${names.map((name) => `\`${name}\``).join(", ")}.` : "Types only.",
      "## Exported",
      ...declarations.filter(isExported).map(renderDeclaration),
      ...(others.length > 0 ? ["## Used by these", ...others.map(renderDeclaration)] : []),
      "",
    ].join("\n\n"),
  };
}

const NAME = /(?:function|interface|class|type|const|enum|namespace) (\w+)|\{ (\w+) \}/;

function renderDeclaration(text: string): string {
  const [, declared, reexported] = NAME.exec(text) ?? [];
  return `### ${declared ?? reexported ?? "Other"}\n\n\`\`\`ts\n${text}\n\`\`\``;
}
