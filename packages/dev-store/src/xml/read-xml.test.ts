import { expect, test } from "vitest";
import { childText, childrenOf, readXml } from "./read-xml.js";
import { writeXml } from "./write-xml.js";

test("reads elements, attributes, comments and references", () => {
  const document = `<?xml version="1.0"?>\n<Root xmlns="http://x"><!-- c --><A b='1'>a&amp;&#x41;&#66;&lt;</A><A/><B>\r\n</B></Root>\n`;
  const root = readXml(document, "Root");
  expect(childrenOf(root, "A").map(({ text }) => text)).toEqual(["a&AB<", ""]);
  expect(childText(root, "B")).toBe("\n");
});

test("reads every character that write-xml writes", () => {
  const text = "a&b<c>d\"e'f\r\n\t\u0001\u007f é 日 🙂";
  expect(childText(readXml(writeXml("R", [["T", text]]), "R"), "T")).toBe(text);
});

test.each([
  ["nothing", ""],
  ["another root", "<Other/>"],
  ["two roots", "<Root/><Root/>"],
  ["text beside the root", "<Root/>x"],
  ["an open element", "<Root><A></Root>"],
  ["an element closed twice", "<Root></Root></Root>"],
  ["a document type", '<!DOCTYPE r [<!ENTITY a "b">]><Root>&a;</Root>'],
  ["an unknown entity", "<Root>&nbsp;</Root>"],
  ["an entity with a name of every object", "<Root>&toString;</Root>"],
  ["a bare ampersand", "<Root>a & b</Root>"],
  ["a lone surrogate", "<Root>&#xD800;</Root>"],
  ["a number past Unicode", "<Root>&#x110000;</Root>"],
  ["CDATA", "<Root><![CDATA[x]]></Root>"],
  ["an attribute without quotes", "<Root a=b/>"],
  ["depth", "<Root>" + "<A>".repeat(50) + "</A>".repeat(50) + "</Root>"],
  ["a flood", "<Root>" + "<A/>".repeat(70_000) + "</Root>"],
])("refuses %s", (_what, document) => {
  expect(() => readXml(document, "Root")).toThrow(expect.objectContaining({ code: "MalformedXML" }));
});

test("takes linear time for almost valid input", () => {
  // Quadratic time would be minutes.
  const started = performance.now();
  expect(() => readXml(`<Root${' a="b"'.repeat(100_000)}`, "Root")).toThrow();
  expect(() => readXml(`<!--${"-".repeat(500_000)}`, "Root")).toThrow();
  expect(performance.now() - started).toBeLessThan(10_000);
});
