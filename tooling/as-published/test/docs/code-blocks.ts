/** An example of a Markdown page. */
export interface CodeBlock {
  language: "ts" | "tsx";
  /** The line number of the first line of code, starting with 1. */
  line: number;
  code: string;
}

const OPENING = /^```(tsx?)(?:\s+(.*))?$/;

/** Returns the complete TypeScript examples of a Markdown page. A block that opens with "ts fragment" is skipped. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const lines = markdown.split("\n");
  for (let index = 0; index < lines.length; index++) {
    const [, language, note] = OPENING.exec(lines[index] ?? "") ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf("```", index);
    if (end === -1) throw new Error(`The block that opens in line ${index + 1} has no end`);
    if (note !== "fragment") {
      const code = lines.slice(index + 1, end).join("\n");
      blocks.push({ language: language as CodeBlock["language"], line: index + 2, code });
    }
    index = end;
  }
  return blocks;
}
