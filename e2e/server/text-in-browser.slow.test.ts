import { createStowageClient, type StowageClient } from "@stowage/server/client";
import { beforeAll, expect, inject, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { sharedChromium } from "../fixtures/chromium.js";

/*
 * What Chromium shows of texts that name no charset, through the URLs of the service and of a public file.
 */
let client: StowageClient;
beforeAll(async () => {
  const { apiKey } = await aProject();
  client = createStowageClient({ apiKey, baseUrl: inject("stowage").url });
});

const WORDS = "Größe: 5 €, naïve, 日本語 🎈";
/** Without characters that Latin-1 lacks. */
const WESTERN = "Größe: 5, naïve, Ærø";
const TEN_MB = 10_000_000;
const LONG_LINE = `${"x".repeat(99)}\n`;
const long = (last: Buffer) =>
  Buffer.concat([Buffer.from(LONG_LINE.repeat(TEN_MB / LONG_LINE.length)), last]);
/** The limit of the look, 256 KiB after the first letter beyond ASCII, cuts a character of four bytes here. */
const CUT = Buffer.from(`é${"a".repeat(256 * 1024 - 4)}${"🎈".repeat(5)} ${WORDS}`);
const SHIFT_JIS = Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x0a]);

interface Shown {
  charset: string;
  /** The end of the text. */
  end: string;
}

async function shownAt(url: string): Promise<Shown> {
  const page = await (await sharedChromium()).newPage();
  try {
    // A busy machine needs long to lay 10 MB out.
    await page.goto(url, { timeout: 120_000 });
    return await page.evaluate(() => ({
      charset: document.characterSet,
      end: (document.body.textContent ?? "").trimEnd().slice(-28),
    }));
  } finally {
    await page.close();
  }
}

test.each<[string, string, Buffer, string, string | null]>([
  ["UTF-8", "a.txt", Buffer.from(WORDS), WORDS, "UTF-8"],
  ["a UTF-8 log", "a.log", Buffer.from(WORDS), WORDS, "UTF-8"],
  ["UTF-8 Markdown", "a.md", Buffer.from(WORDS), WORDS, "UTF-8"],
  ["UTF-8 CSV", "a.csv", Buffer.from(WORDS), WORDS, "UTF-8"],
  ["UTF-8 with a byte order mark", "a.txt", Buffer.from(`\ufeff${WORDS}`), WORDS, "UTF-8"],
  ["UTF-16 with a byte order mark", "a.txt", Buffer.from(`\ufeff${WORDS}`, "utf16le"), WORDS, "UTF-16LE"],
  ["Latin-1", "a.txt", Buffer.from(WESTERN, "latin1"), WESTERN, "windows-1252"],
  ["10 MB of UTF-8 whose first such letter comes last", "a.log", long(Buffer.from(WORDS)), WORDS, "UTF-8"],
  [
    "10 MB of Latin-1 whose first such letter comes last",
    "a.log",
    long(Buffer.from(WESTERN, "latin1")),
    WESTERN,
    "windows-1252",
  ],
  ["UTF-8 with a character that the look cuts", "a.txt", CUT, WORDS, "UTF-8"],
])("shows %s", async (_, filename, file, words, charset) => {
  const { filePath } = await client.upload({ tenantId: "t", file, filename });
  for (let visits = 0; visits < 2; visits++) {
    const { presignedUrl } = await client.downloadUrl(filePath, { disposition: "inline" });
    const shown = await shownAt(presignedUrl);
    expect(shown.end.slice(-words.length)).toBe(words);
    expect(shown.charset).toBe(charset);
  }
});

test("does not show Shift_JIS as UTF-8", async () => {
  const { filePath } = await client.upload({ tenantId: "t", file: SHIFT_JIS, filename: "a.txt" });
  const { presignedUrl } = await client.downloadUrl(filePath, { disposition: "inline" });
  expect((await shownAt(presignedUrl)).charset).not.toBe("UTF-8");
});
