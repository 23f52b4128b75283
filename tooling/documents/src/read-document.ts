/** A piece of a document that names things: code in a sentence, a block of code, or the target of a link. */
export interface Piece {
  kind: "inline" | "block" | "link";
  /** The language of a block. */
  language: string;
  text: string;
  line: number;
}

const FENCE = /^ *(`{3,})([\w-]*).*\n([^]*?)^ *\1 *$/gm;
const INLINE = /(?<!`)(`+)(?!`)([^\n]+?)(?<!`)\1(?!`)/g;
const LINK = /\]\(<?([^\s)<>]+)/g;

const known = new Map<string, readonly Piece[]>();

/** The pieces of a Markdown document that name something. Several checks ask for them, so each text is read once. */
export function readPieces(markdown: string): readonly Piece[] {
  const pieces = known.get(markdown) ?? findPieces(markdown);
  known.set(markdown, pieces);
  return pieces;
}

/**
 * It knows only what our documents use: fenced blocks, and code and links within a line. A parser of Markdown takes seconds for all documents.
 */
function findPieces(markdown: string): Piece[] {
  const lineAt = (index: number): number => markdown.slice(0, index).split("\n").length;
  const blocks = [...markdown.matchAll(FENCE)].map(({ index, 2: language = "", 3: text = "" }): Piece => ({
    kind: "block",
    language,
    text,
    line: lineAt(index),
  }));
  // Blanks of the same length keep the positions.
  const withoutBlocks = markdown.replace(FENCE, (block) => block.replace(/[^\n]/g, " "));
  const inline = [...withoutBlocks.matchAll(INLINE)].map(({ index, 2: text = "" }): Piece => ({
    kind: "inline",
    language: "",
    text,
    line: lineAt(index),
  }));
  const withoutCode = withoutBlocks.replace(INLINE, (code) => code.replace(/./g, "x"));
  const links = [...withoutCode.matchAll(LINK)].map(({ index, 1: text = "" }): Piece => ({
    kind: "link",
    language: "",
    text,
    line: lineAt(index),
  }));
  return [...blocks, ...inline, ...links];
}
