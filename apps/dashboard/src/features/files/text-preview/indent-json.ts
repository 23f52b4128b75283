const INDENT = "  ";

/**
 * Puts each value of a JSON text on its own line. Unlike `JSON.stringify`, this keeps every digit of a number, and names that occur twice.
 *
 * @param maxLines at which it stops, because the indentation of deeply nested values grows with the square of their depth
 * @returns null if the text is no JSON
 */
export function indentJson(text: string, maxLines: number): string | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const lines: string[] = [];
  let line = "";
  let depth = 0;
  const startLine = () => {
    lines.push(line);
    line = INDENT.repeat(depth);
  };
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[^\s"[\]{},:]+|[[\]{},:]/g) ?? [];
  for (const [index, token] of tokens.entries()) {
    if (lines.length >= maxLines) break;
    if (token === "]" || token === "}") {
      depth--;
      if (!isOpening(tokens[index - 1])) startLine();
      line += token;
    } else if (token === ",") {
      line += token;
      startLine();
    } else {
      line += token === ":" ? ": " : token;
      if (!isOpening(token)) continue;
      depth++;
      if (!isClosing(tokens[index + 1])) startLine();
    }
  }
  lines.push(line);
  return lines.join("\n");
}

const isOpening = (token: string | undefined) => token === "[" || token === "{";
const isClosing = (token: string | undefined) => token === "]" || token === "}";
