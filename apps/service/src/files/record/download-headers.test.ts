import contentDisposition from "content-disposition";
import { describe, expect, test } from "vitest";
import { downloadHeaders } from "./download-headers.js";

const of = (contentType: string, disposition: "inline" | "attachment" = "inline") => {
  const { contentDisposition, contentType: type } = downloadHeaders({
    contentType,
    filename: "a",
    disposition,
  });
  return [contentDisposition.split(";")[0], type];
};

describe("shows in the browser if asked to, with its own type", () => {
  test.each([
    ["image/png", "image/png"],
    ["IMAGE/JPEG", "image/jpeg"],
    ["image/gif", "image/gif"],
    ["image/webp", "image/webp"],
    ["image/avif", "image/avif"],
    ["image/bmp", "image/bmp"],
    ["application/pdf", "application/pdf"],
    ["audio/mpeg", "audio/mpeg"],
    ["audio/x-wav", "audio/x-wav"],
    ["video/mp4", "video/mp4"],
    ['video/webm; codecs="vp9, text/html"', "video/webm"],
    ["text/plain", "text/plain"],
    ["text/plain;charset=UTF-8", "text/plain; charset=utf-8"],
    ['text/plain; format=flowed; charset="utf-8"', "text/plain; charset=utf-8"],
    ['text/plain; charset="x, text/html"', "text/plain"],
  ])("%s", (given, type) => {
    expect(of(given)).toEqual(["inline", type]);
    expect(of(given, "attachment")).toEqual(["attachment", type]);
  });
});

describe("saves with its own type, and never shows in the browser", () => {
  test.each([
    "image/tiff",
    "image/heic",
    "text/csv",
    "application/json",
    "application/zip",
    "application/msword",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "font/woff2",
    "application/octet-stream",
  ])("%s", (type) => {
    expect(of(type)).toEqual(["attachment", type]);
  });
});

describe("saves as bytes without a type", () => {
  test.each([
    "text/html",
    "TEXT/HTML; charset=utf-8",
    "text/html ",
    "application/xhtml+xml",
    "image/svg+xml",
    "IMAGE/SVG+XML; charset=utf-8",
    "image/svg",
    "image/svg-xml",
    "text/xml",
    "application/xml",
    "application/rss+xml",
    "video/x+xml",
    "audio/x+xml",
    "image/x+xml",
    "application/vnd.mozilla.xul+xml",
    "application/vnd.wap.xhtml+xml",
    "application/mathml+xml",
    "text/xsl",
    "text/javascript",
    "application/javascript",
    "application/x-javascript",
    "text/ecmascript",
    "application/wasm",
    "text/css",
    "text/vtt",
    "text/cache-manifest",
    "multipart/related",
    "multipart/x-mixed-replace",
    "message/rfc822",
    "application/x-mimearchive",
    "application/x-shockwave-flash",
    "application/java-archive",
    "application/hta",
    "application/x-msdownload",
    // For these the browser guesses the type (https://mimesniff.spec.whatwg.org/#sniffing-a-mime-type-with-unknown).
    "unknown/unknown",
    "application/unknown",
    "*/*",
    "x/y",
    "",
  ])("%j", (type) => {
    expect(of(type)).toEqual(["attachment", "application/octet-stream"]);
  });
});

describe("the filename of a download", () => {
  const header = (filename: string) =>
    downloadHeaders({ contentType: "text/plain", filename, disposition: "attachment" }).contentDisposition;

  test.each([
    ["report.pdf", 'attachment;filename="report.pdf"'],
    ["two words.pdf", 'attachment;filename="two words.pdf"'],
    ["naïve.txt", "attachment;filename=\"naive.txt\";filename*=UTF-8''na%C3%AFve.txt"],
    ['say "hi".txt', "attachment;filename=\"say _hi_.txt\";filename*=UTF-8''say%20%22hi%22.txt"],
    ["50%41.txt", "attachment;filename=\"50_41.txt\";filename*=UTF-8''50%2541.txt"],
    ["a;b=c, d.txt", 'attachment;filename="a;b=c, d.txt"'],
    ["a; filename*=b.txt", 'attachment;filename="a; filename*=b.txt"'],
    ["it's (1)*.txt", `attachment;filename="it's (1)*.txt"`],
    ["dir/../a\\b.txt", 'attachment;filename="dir_.._a_b.txt"'],
  ])("writes %j as %s", (filename, expected) => {
    expect(header(filename)).toBe(expected);
  });

  test.each([
    ["Été à la mer.jpg", "Ete a la mer.jpg"],
    ["E\u0301te\u0301.jpg", "Ete.jpg"],
    [
      "Größe – Ærø, Łódź, Đà Nẵng, Þing, İstanbul ışık.txt",
      "Grosse - AEro, Lodz, Da Nang, Thing, Istanbul isik.txt",
    ],
    ["l’œuvre.txt", "l'oeuvre.txt"],
    ["ﬁn…ａｂ１.txt", "fin...ab1.txt"],
    ["＂％／＼.txt", "____.txt"],
    ["Ərizə ŋ, Ŀl ½.pdf", "Erize ng, L_l 1_2.pdf"],
    ["\u0301", "_"],
    ["見積書🙂.pdf", "____.pdf"],
  ])("keeps the base letters of %j for clients that read plain ASCII only", (filename, fallback) => {
    expect(header(filename)).toContain(`;filename="${fallback}";filename*=UTF-8''`);
  });

  test.each([
    ["annexe\u202egpj.exe", "annexegpj.exe"],
    ["تقرير\u200f \u2067a\u2069.txt", "تقرير a.txt"],
    ["\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", "_"],
  ])("leaves out the bidirectional control characters of %j", (filename, expected) => {
    expect(contentDisposition.parse(header(filename)).parameters["filename"]).toBe(expected);
  });

  test.each([
    "見積書 (最終).pdf",
    "שלום עולם.txt",
    "تقرير.txt",
    "👩‍👩‍👧 family 🙂.png",
    "हिन्दी.txt",
    "naïve \"%20\" 'x'*.txt",
    "..",
    "𠮷".repeat(255),
  ])("keeps %j complete in a header of plain ASCII", (filename) => {
    expect(header(filename)).toMatch(/^[\x20-\x7e]+$/);
    expect(contentDisposition.parse(header(filename)).parameters["filename"]).toBe(filename);
  });
});
