// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { hasOwnText } from "./clipboard-text.js";

/** A clipboard with files and texts. */
function aClipboard(names: string[], texts: Record<string, string>): DataTransfer {
  return {
    types: ["Files", ...Object.keys(texts)],
    files: names.map((name) => new File(["x"], name)),
    getData: (type: string) => texts[type] ?? "",
  } as unknown as DataTransfer;
}

const html = (body: string) => ({
  "text/html": `<html><head><meta charset="utf-8"><style>p { color: red }</style></head><body>${body}</body></html>`,
});

test.each<[string, string[], Record<string, string>]>([
  ["a screenshot", ["image.png"], {}],
  [
    "an image of Chromium",
    ["image.png"],
    { "text/html": '<meta charset="utf-8"><img src="https://a.example/cat.png" alt="A cat that sleeps">' },
  ],
  [
    "an image of Firefox",
    ["image.png"],
    {
      "text/plain": "https://a.example/b/cat%20one.png?w=2",
      ...html('<img src="https://a.example/b/cat%20one.png?w=2">'),
    },
  ],
  ["a file of Finder", ["a b.jpg"], { "text/plain": "a b.jpg" }],
  ["files of Finder", ["a.jpg", "é.txt"], { "text/plain": "a.jpg\re\u0301.txt" }],
  [
    "files of KDE and XFCE",
    ["a b.jpg", "c.txt"],
    { "text/plain": "file:///home/u/a%20b.jpg\r\nfile:///home/u/c.txt\r\n" },
  ],
  [
    "files of GNOME",
    ["a.jpg"],
    { "text/plain": "x-special/nautilus-clipboard\ncopy\nfile:///home/u/a.jpg\n" },
  ],
  ["a file as a Windows path", ["a.jpg"], { "text/plain": "C:\\Users\\u\\a.jpg" }],
  ["a name with a percent sign", ["100%.txt"], { "text/plain": "100%.txt" }],
  ["white space", ["a.jpg"], { "text/plain": " \n ", ...html("<p>\n</p>") }],
])("%s has no text of its own", (_what, names, texts) => {
  expect(hasOwnText(aClipboard(names, texts))).toBe(false);
});

test.each<[string, string[], Record<string, string>]>([
  ["Word", ["image.png"], { "text/plain": "Dear Ann", ...html("<p>Dear Ann</p>") }],
  [
    "Excel",
    ["image.png"],
    { "text/plain": "1\t2\r\n", ...html("<table><tr><td>1</td><td>2</td></tr></table>") },
  ],
  ["empty cells of Excel", ["image.png"], html("<table><tr><td></td></tr></table>")],
  ["text with a picture", ["image.png"], html('<p>Look: <img src="a.png"></p>')],
  ["several pictures of a page", ["image.png"], html('<img src="a.png"><img src="b.png">')],
  ["plain text only", ["image.png"], { "text/plain": "words" }],
  ["a sentence about the file", ["a.jpg"], { "text/plain": "a.jpg is ready" }],
])("what %s copies has text of its own", (_what, names, texts) => {
  expect(hasOwnText(aClipboard(names, texts))).toBe(true);
});
