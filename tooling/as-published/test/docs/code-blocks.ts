/** One example of a page. */
export interface CodeBlock {
  language: "ts" | "tsx";
  /** The first line of its code, counted from 1. */
  line: number;
  code: string;
}

const OPENING = /^```(tsx?)(?:\s+(.*))?$/;

/** The examples in TypeScript of a Markdown page that are whole; a block that opens with "ts fragment" is not. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const lines = markdown.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const [, language, note] = OPENING.exec(lines[at] ?? "") ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf("```", at);
    if (end === -1) throw new Error(`The block that opens in line ${at + 1} never ends`);
    if (note !== "fragment") {
      const code = lines.slice(at + 1, end).join("\n");
      blocks.push({ language: language as CodeBlock["language"], line: at + 2, code });
    }
    at = end;
  }
  return blocks;
}
