import { S3Error } from "../errors.js";

export interface XmlNode {
  readonly name: string;
  /** The text directly inside, with references resolved. */
  readonly text: string;
  readonly children: readonly XmlNode[];
}

const MAX_DEPTH = 6;
/** 10,000 parts of at most five elements each, and the root. */
const MAX_ELEMENTS = 60_000;

/**
 * Reads a small request document. It accepts elements, attributes (skipped), text, comments and the declaration. It refuses
 * DOCTYPE, CDATA and processing instructions, so a document cannot expand or load anything.
 *
 * @throws S3Error MalformedXML
 */
export function readXml(document: string, root: string): XmlNode {
  interface Open {
    name: string;
    text: string;
    children: XmlNode[];
  }
  const top: Open = { name: "", text: "", children: [] };
  const open: Open[] = [top];
  let elements = 0;
  let at = 0;
  TOKEN.lastIndex = 0;
  // XML 1.0 section 2.11: line ends are read as LF. A literal CR is written as a reference.
  const source = document.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  while (at < source.length) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(source);
    if (!token) throw malformed();
    at = TOKEN.lastIndex;
    const [, text, skipped, closing, opening, selfClosing] = token;
    const inner = open.at(-1)!;
    if (skipped !== undefined) continue;
    if (text !== undefined) {
      if (inner === top && text.trim() !== "") throw malformed();
      inner.text += resolve(text);
    } else if (closing !== undefined) {
      if (open.length === 1 || inner.name !== closing) throw malformed();
      open.pop();
    } else if (opening !== undefined) {
      if (++elements > MAX_ELEMENTS || open.length > MAX_DEPTH) throw malformed();
      const node: Open = { name: opening, text: "", children: [] };
      inner.children.push(node);
      if (selfClosing === "") open.push(node);
    }
  }
  const [only, more] = top.children;
  if (open.length !== 1 || !only || more || only.name !== root) throw malformed();
  return only;
}

/** Returns the text of the first child with this name. */
export function childText(node: XmlNode, name: string): string | undefined {
  return node.children.find((child) => child.name === name)?.text;
}

/** Refuses a document with other elements, which could ask for something that this store would ignore. @throws S3Error */
export function requireOnly(node: XmlNode, ...names: readonly string[]): void {
  const other = node.children.find((child) => !names.includes(child.name));
  if (other)
    throw new S3Error("NotImplemented", `This store does not implement ${other.name} in ${node.name}.`);
}

/** Returns the children with this name, in order. */
export function childrenOf(node: XmlNode, name: string): readonly XmlNode[] {
  return node.children.filter((child) => child.name === name);
}

const NAME = String.raw`[A-Za-z_][\w.-]{0,63}(?::[A-Za-z_][\w.-]{0,63})?`;
const ATTRIBUTE = String.raw`\s+${NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*')`;
// Groups: 1 text, 2 declaration or comment, 3 closing tag, 4 opening tag, 5 the "/" of a self-closing tag.
const TOKEN = new RegExp(
  String.raw`([^<]+)|(<\?xml\s[^<>]*\?>|<!--(?:(?!--)[^])*-->)|</(${NAME})\s*>|<(${NAME})(?:${ATTRIBUTE})*\s*(/?)>`,
  "y",
);

const ENTITIES = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

function resolve(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&([^;&]{0,10});?/g, (whole, name: string) => {
    if (!whole.endsWith(";")) throw malformed();
    const named = ENTITIES.get(name);
    if (named !== undefined) return named;
    const number = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(name);
    if (!number) throw malformed();
    const point = number[1] !== undefined ? Number.parseInt(number[1], 16) : Number(number[2]);
    // A lone surrogate has no UTF-8 form, so no key can contain it.
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) throw malformed();
    return String.fromCodePoint(point);
  });
}

function malformed(): S3Error {
  return new S3Error("MalformedXML");
}
