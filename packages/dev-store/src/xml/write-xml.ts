/** An element: its name, then text or child elements. `undefined` children are omitted. */
export type XmlElement = readonly [name: string, content: XmlContent];
type XmlContent = string | number | boolean | readonly (XmlElement | undefined)[];

const NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";

/** Writes an S3 answer with its root in S3's namespace. All text is escaped here. */
export function writeXml(root: string, content: XmlContent): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">${write(content)}</${root}>`;
}

/** Writes an error document, which has no namespace in S3. */
export function writeErrorXml(fields: readonly XmlElement[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${write(fields)}</Error>`;
}

function write(content: XmlContent): string {
  if (typeof content !== "object") return escapeText(String(content));
  let xml = "";
  for (const child of content) if (child) xml += `<${child[0]}>${write(child[1])}</${child[0]}>`;
  return xml;
}

const NAMED: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

// Control characters are written as references, as S3 does: XML 1.0 does not allow them otherwise, and a bare CR would be
// read back as LF. A client that needs every key exactly asks for encoding-type=url.
function escapeText(text: string): string {
  return text.replace(
    /[&<>"\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g,
    (c) => NAMED[c] ?? `&#${c.charCodeAt(0)};`,
  );
}
