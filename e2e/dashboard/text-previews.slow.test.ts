import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { aDashboard, expectAccessible, expectConsoleErrors } from "./fixtures/a-dashboard.js";
import { saveScreenshot } from "../fixtures/save-screenshot.js";
import { openFilePage } from "./fixtures/open-file-page.js";
import type { Upload } from "./fixtures/uploads.js";

const dashboard = aDashboard();

async function aTextPage(upload: Upload) {
  const opened = await openFilePage(dashboard, upload);
  const text = opened.preview.getByRole("region", { name: `Preview of ${upload.filename}` });
  return { ...opened, text };
}

test("shows the text of a small file, with its lines and tabs", async () => {
  const { page, preview, text } = await aTextPage({
    filename: "notes.txt",
    bytes: "Größe:\t5 €\r\n日本\r\n<img src=x onerror=alert(1)>\n",
  });
  await expect.poll(() => text.textContent()).toBe("Größe:\t5 €\n日本\n<img src=x onerror=alert(1)>");
  expect(await preview.getByText("beginning").count()).toBe(0);
  await expectAccessible(page, "file-text");
});

test("shows the beginning of a long text, and says so", async () => {
  const line = `${"x".repeat(99)}\n`;
  const { page, preview, text } = await aTextPage({ filename: "server.log", bytes: line.repeat(20_000) });
  await preview.getByText("This is the beginning of the file: 65.5 kB of 2 MB.").waitFor();
  await preview.getByText("These are the first 500 lines.").waitFor();
  expect(await text.textContent()).toHaveLength(500 * 100 - 1);
  await expectAccessible(page, "file-text-long");
});

test.each([
  ["UTF-16", Buffer.from("\ufeffGröße 5 €", "utf16le"), "utf-16le"],
  ["Windows-1252", Buffer.from("Gr\xf6\xdfe 5 \x80", "latin1"), "windows-1252"],
])("reads %s", async (_, bytes, encoding) => {
  const { preview, text } = await aTextPage({ filename: "notes.txt", bytes });
  await expect.poll(() => text.textContent()).toBe("Größe 5 €");
  await preview.getByText(`It was read as ${encoding}.`).waitFor();
});

test("shows CSV as a table, and its formulas and links only as text", async () => {
  const formula = '=HYPERLINK("https://evil.example","Click")';
  const rows = [
    "\ufeffName;Comment;Price",
    '"Tea; green";"says ""hi""\r\nagain";3,50',
    `"${formula.replaceAll('"', '""')}";https://evil.example;<b>4</b>`,
  ];
  const { page, preview } = await aTextPage({ filename: "prices.csv", bytes: rows.join("\r\n") });
  const table = preview.getByRole("table", { name: "Preview of prices.csv" });
  await table.getByRole("columnheader", { name: "Comment" }).waitFor();
  const cells = await table
    .getByRole("row")
    .evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent)));
  expect(cells).toEqual([
    ["Name", "Comment", "Price"],
    ["Tea; green", 'says "hi" again', "3,50"],
    [formula, "https://evil.example", "<b>4</b>"],
  ]);
  expect(await preview.locator("a, b, img, iframe, script").count()).toBe(0);
  await expectAccessible(page, "file-csv");
});

test("shows the first rows and columns of a large table", async () => {
  const row = `${Array.from({ length: 40 }, (_, column) => `c${column}`).join("\t")}\n`;
  const { page, preview } = await aTextPage({ filename: "large.tsv", bytes: row.repeat(300) });
  await preview.getByText("These are the first 200 rows.").waitFor();
  await preview.getByText("These are the first 30 of 40 columns.").waitFor();
  expect(await preview.locator("tr").count()).toBe(200);
  await saveScreenshot(page, "file-csv-large");
});

test("indents JSON, and keeps the digits of its numbers", async () => {
  const { page, preview, text } = await aTextPage({
    filename: "order.json",
    bytes: '{"id":12345678901234567890,"lines":[{"sku":"a","count":1.50}],"note":null}',
  });
  await preview.getByText("The JSON is indented here.", { exact: false }).waitFor();
  expect((await text.textContent())!.split("\n").slice(0, 3)).toEqual([
    "{",
    '  "id": 12345678901234567890,',
    '  "lines": [',
  ]);
  await expectAccessible(page, "file-json");
});

test("shows a text that is no JSON as it is", async () => {
  const { preview, text } = await aTextPage({ filename: "order.json", bytes: "{'id': 1}" });
  await preview.getByText("This is not valid JSON", { exact: false }).waitFor();
  expect(await text.textContent()).toBe("{'id': 1}");
});

test("shows Markdown as its source, without its HTML, images and links", async () => {
  const source = "# Title\n\n[link](javascript:alert(1)) ![i](https://evil.example/i.png) <script>1</script>";
  const { page, preview, text } = await aTextPage({ filename: "README.md", bytes: source });
  await expect.poll(() => text.textContent()).toBe(source);
  expect(await preview.locator("a, img, h1, script").count()).toBe(0);
  await expectAccessible(page, "file-markdown");
});

test("makes characters visible that reorder or hide text", async () => {
  const { text } = await aTextPage({ filename: "a.txt", bytes: "if (admin\u202e) \x1b[8mhidden" });
  await expect.poll(() => text.textContent()).toBe("if (admin\ufffd) \ufffd[8mhidden");
});

test.each([
  ["random bytes", "notes.txt", randomBytes(5000), "The bytes of this file are not text", "file-no-text"],
  ["nothing", "empty.txt", "", "The file is empty.", "file-empty"],
])("says in words that a text file has %s", async (_, filename, bytes, sentence, name) => {
  const { page, preview } = await aTextPage({ filename, bytes });
  await preview.getByText(sentence, { exact: false }).waitFor();
  expect(await preview.locator("pre").count()).toBe(0);
  await expectAccessible(page, name);
});

test("says what may be the reason if storage does not send the text, and tries again", async () => {
  const { page, preview, text, consoleErrors } = await aTextPage({ filename: "notes.txt", bytes: "here" });
  await expect.poll(() => text.textContent()).toBe("here");
  await page.route(/notes\.txt/, (route) => route.abort());
  await page.reload();
  await preview.getByText("The text could not be loaded.", { exact: false }).waitFor();
  // Storage is to blame, not the service.
  expect(await page.getByText("The service does not answer").count()).toBe(0);
  await expectAccessible(page, "file-text-not-loaded");
  await page.unroute(/notes\.txt/);
  // By keyboard: a click waits until nothing covers the button, and meanwhile the page may have tried again by itself.
  await preview.getByRole("button", { name: "Try again" }).press("Enter");
  await expect.poll(() => text.textContent()).toBe("here");
  expectConsoleErrors(consoleErrors, /ERR_FAILED/);
});
