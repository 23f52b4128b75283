/** An example of a Markdown page. */
export interface CodeBlock {
  language: "ts" | "tsx";
  /** The line number of the first line of code, starting with 1. */
  line: number;
  code: string;
  /** The path that the example's first line names, such as `app/page.tsx`. Other examples of the page may import it. */
  path?: string;
  /** The block opens with "ts fragment": it is not complete, so it does not compile. */
  isFragment: boolean;
}

const OPENING = /^```(tsx?)(?:\s+(.*))?$/;
const PATH = /^\/\/ ((?:[\w.[\]-]+\/)*[\w-]+\.tsx?)(?::|$)/;

/** Returns the TypeScript examples of a Markdown page. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const lines = markdown.split("\n");
  for (let index = 0; index < lines.length; index++) {
    const [, language, note] = OPENING.exec(lines[index] ?? "") ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf("```", index);
    if (end === -1) throw new Error(`The block that opens in line ${index + 1} has no end`);
    const code = lines.slice(index + 1, end).join("\n");
    const path = PATH.exec(code.split("\n", 1)[0] ?? "")?.[1];
    blocks.push({
      language: language as CodeBlock["language"],
      line: index + 2,
      code,
      ...(path === undefined ? {} : { path }),
      isFragment: note === "fragment",
    });
    index = end;
  }
  return blocks;
}
