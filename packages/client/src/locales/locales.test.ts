import { readdir, readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { UploadLabels } from "../labels/labels.js";
import type { UploadLocale } from "../labels/upload-locale.js";
import { errorMessage, type MessageContext } from "../messages.js";
import type { UploadErrorCode } from "../upload-error.js";
import { ar } from "./ar.js";
import { de } from "./de.js";
import { en } from "./en.js";
import { es } from "./es.js";
import { fr } from "./fr.js";
import { it as italian } from "./it.js";
import { ja } from "./ja.js";

const tags = (await readdir(import.meta.dirname))
  .filter((name) => !name.includes(".test."))
  .map((name) => name.replace(/\.ts$/, ""));
const modules = await Promise.all(
  tags.map(async (tag) => ({
    tag,
    exported: (await import(/* @vite-ignore */ `./${tag}.ts`)) as Record<string, UploadLocale>,
  })),
);
const others = modules.flatMap(({ tag, exported }) =>
  tag === "en" ? [] : Object.values(exported).map((words) => [tag, words] as const),
);

const NAME = "Überlauf 文 (1).pdf";
const MB = 1_000_000;

/** The texts of the file browser that name one file. */
const namedTexts = [
  "renameFile",
  "moveFile",
  "deleteFile",
  "movingFolder",
  "deletingFolder",
  "newName",
  "newFolder",
  "renamed",
  "deleted",
  "restored",
] as const;

/** Every text of a locale, with the parts that it must contain. */
function textsOf(words: UploadLocale): { key: string; text: string; contains: string[] }[] {
  const { locale } = words;
  const number = (value: number) => value.toLocaleString(locale);
  const textOf = (key: string, text: string, ...contains: string[]) => ({ key, text, contains });
  const plain = Object.entries(words).flatMap(([key, value]) =>
    typeof value === "string" && key !== "locale" ? [textOf(key, value)] : [],
  );
  const kinds = Object.entries(words.kinds).map(([key, value]) => textOf(key, value));
  const grid = Object.entries(words.grid).map(([key, value]) => textOf(`grid.${key}`, value));
  const browser = Object.entries(words.browser).flatMap(([key, value]) =>
    typeof value === "string" ? [textOf(`browser.${key}`, value)] : [],
  );
  const hint = { kinds: "PDF", minSize: "1 kB", maxSize: "4 MB", maxTotalSize: "9 MB", maxFiles: 1234 };
  const counts = { files: 9876, active: 0, done: 5432, failed: 1234, percent: "45 %" };
  const labels = [
    textOf("hint", words.hint(hint, locale), "PDF", "1 kB", "4 MB", "9 MB", number(1234)),
    textOf("cancel", words.cancel(NAME), NAME),
    textOf("retry", words.retry(NAME), NAME),
    textOf("remove", words.remove(NAME), NAME),
    textOf("summary", words.summary(counts, locale), number(9876), number(5432), number(1234)),
    textOf(
      "summary, active",
      words.summary({ ...counts, active: 77 }, locale),
      number(77),
      "45 %",
      number(1234),
    ),
    textOf("uploading", words.uploading("45 %"), "45 %"),
    textOf("retrying", words.retrying(2, 5, locale), number(2), number(5)),
    textOf("sent", words.sent("1 MB", "9 MB"), "1 MB", "9 MB"),
    textOf("timeLeft", words.timeLeft("3 min"), "3 min"),
    textOf("resumeFile", words.resumeFile(NAME), NAME),
    textOf("discardFile", words.discardFile(NAME), NAME),
    textOf("expires", words.expires("30.11.26"), "30.11.26"),
    textOf("resumableFound", words.resumableFound(1234, locale), number(1234)),
    textOf("resumableFound, one", words.resumableFound(1, locale)),
    textOf("lost", words.lost(NAME), NAME),
    textOf("discarded", words.discarded(NAME), NAME),
    textOf("added", words.added(1234, locale), number(1234)),
    textOf("failed", words.failed(NAME, "Why."), NAME, "Why."),
    textOf("cancelled", words.cancelled(NAME), NAME),
    textOf("deleted", words.deleted(NAME), NAME),
    textOf("notDeleted", words.notDeleted(NAME, "Why."), NAME, "Why."),
    textOf("progress", words.progress("45 %"), "45 %"),
    textOf("finished", words.finished(5432, 1234, locale), number(5432), number(1234)),
    textOf("finished, none", words.finished(0, 0, locale)),
    ...namedTexts.map((key) => textOf(`browser.${key}`, words.browser[key](NAME), NAME)),
    textOf("browser.moved", words.browser.moved(NAME, "A/B"), NAME, "A/B"),
    textOf("browser.confirmDelete", words.browser.confirmDelete(NAME, "7 f"), NAME, "7 f"),
    textOf("browser.unchanged", words.browser.unchanged("7 f"), "7 f"),
    textOf("browser.fileCount", words.browser.fileCount(1234, locale), number(1234)),
    textOf("browser.fileCount, one", words.browser.fileCount(1, undefined)),
  ];
  const limits = {
    accept: ".pdf,image/*",
    maxSize: 4 * MB,
    minSize: 2 * MB,
    maxFiles: 1234,
    maxTotalSize: 9 * MB,
  };
  const context: MessageContext = { name: NAME, size: 1, limits, status: 400, detail: undefined, locale };
  const error = (code: UploadErrorCode, given: Partial<MessageContext> = {}) =>
    errorMessage(code, { ...context, ...given }, words.errors);
  const errorParts: Partial<Record<UploadErrorCode, string[]>> = {
    file_type_not_accepted: ["PDF", words.kinds["image/*"]!],
    file_too_large: [number(4)],
    file_too_small: [number(2)],
    too_many_files: [number(1234)],
    total_size_exceeded: [number(9)],
    different_file: [NAME, number(1)],
  };
  const errors = (Object.keys(words.errors) as UploadErrorCode[]).map((code) =>
    textOf(code, error(code), ...(errorParts[code] ?? [])),
  );
  return [
    ...plain,
    ...kinds,
    ...grid,
    ...browser,
    ...labels,
    ...errors,
    textOf("quota, unfinished uploads", error("quota_exceeded", { heldBytes: 7 }), number(7)),
    textOf("one file", error("too_many_files", { limits: { maxFiles: 1 } })),
    textOf("too large, limit unknown", error("file_too_large", { limits: {} })),
    textOf("not accepted, kinds unknown", error("file_type_not_accepted", { limits: {} })),
  ];
}

const textsByKey = (words: UploadLocale) => new Map(textsOf(words).map(({ key, text }) => [key, text]));

// The same word in English and in the other language.
const COGNATES: ReadonlySet<string> = new Set([
  "fr image/*",
  "de video/*",
  "de tray",
  "nl tray",
  "it browser.fileCount, one",
]);

describe.each(others)("%s", (tag, words) => {
  test("has every text that English has", () => {
    expect(Object.keys(words).sort()).toEqual(Object.keys(en).sort());
    expect(Object.keys(words.grid)).toEqual(Object.keys(en.grid));
    expect(Object.keys(words.browser).sort()).toEqual(Object.keys(en.browser).sort());
    expect(Object.keys(words.errors).sort()).toEqual(Object.keys(en.errors).sort());
    for (const { key, text } of textsOf(words)) {
      expect(text.trim(), key).not.toBe("");
      expect(text, key).not.toMatch(/undefined|\bnull\b|NaN|\[object|#|\$\{| {2}|\s$/);
    }
  });

  test("contains every name, number and size that it is given", () => {
    for (const { key, text, contains } of textsOf(words)) {
      for (const part of contains) expect(text, key).toContain(part);
    }
  });

  test("names the buttons of a file with the words that they show", () => {
    const holds = (label: string, text: string) =>
      expect(label.toLocaleLowerCase(tag)).toContain(text.toLocaleLowerCase(tag));
    holds(words.resumeFile(NAME), words.resume);
    holds(words.discardFile(NAME), words.discardUpload);
    holds(words.browser.renameFile(NAME), words.browser.rename);
    holds(words.browser.moveFile(NAME), words.browser.move);
    holds(words.browser.deleteFile(NAME), words.browser.delete);
  });

  test("contains no English", () => {
    const english = textsByKey(en);
    for (const [key, text] of textsByKey(words)) {
      if (COGNATES.has(`${tag} ${key}`)) continue;
      expect(text, key).not.toBe(english.get(key));
      expect(text.replace(NAME, "").replace("Why.", ""), key).not.toMatch(
        /\b(the|this|your?|files?(?= (is|was|are|has))|again|uploaded|uploading|cancel|retry|choose|try|was|not)\b/i,
      );
    }
  });

  test("says that the upload was refused for a code without a text, and not what the backend says", () => {
    const context = { name: NAME, size: 1, limits: {}, status: 409, locale: tag };
    const refused = errorMessage("request_refused", { ...context, detail: undefined }, words.errors);
    const later = "code_of_a_later_version" as UploadErrorCode;
    for (const code of ["scan_outdated", later] as const)
      expect(errorMessage(code, { ...context, detail: "File has changed" }, words.errors)).toBe(refused);
  });

  test("shows the backend's own sentence if there is one", () => {
    const context = { name: NAME, size: 1, limits: {}, status: 403, detail: "Nur werktags.", locale: tag };
    for (const code of ["upload_refused", "request_refused", "invalid_request", "file_refused"] as const) {
      const message = words.errors[code];
      expect(typeof message === "function" && message(context)).toBe("Nur werktags.");
    }
  });

  test("is accepted as the messages of the widget, and has its own language tag", () => {
    expect(words satisfies Partial<UploadLabels>).toHaveProperty("locale", tag);
    expect(Intl.getCanonicalLocales(tag)).toEqual([tag]);
  });
});

test("Arabic isolates names, numbers and kinds in Latin letters", () => {
  const begins = (text: string) =>
    /[\p{Script=Latin}\p{Script=Arabic}]/u.exec(text.replace(/\u2068[^\u2069]*\u2069/g, ""));
  const texts = [
    ar.hint({ kinds: "PDF, TXT", minSize: "", maxSize: "5 MB", maxTotalSize: "" }, "ar"),
    ...["file_type_not_accepted", "file_too_large"].map((code) => textsByKey(ar).get(code)!),
    ar.sent("1 MB", "2 MB"),
    ar.remove("report.pdf"),
    ar.failed("report.pdf", "لماذا."),
    ar.browser.renameFile("report.pdf"),
    ar.browser.moved("report.pdf", "reports"),
    ar.summary({ files: 3, active: 2, done: 1, failed: 0, percent: "45%" }, "ar"),
  ];
  for (const text of texts) {
    expect(text).toContain("\u2068");
    expect(begins(text)?.[0]).toMatch(/\p{Script=Arabic}/u);
    expect(text.replace(/\u2068[^\u2069]*\u2069/g, "")).not.toMatch(/\p{Script=Latin}/u);
  }
});

test("says in English how many of how many files are uploaded", () => {
  const counts = { files: 3, active: 0, done: 2, failed: 1, percent: "" };
  expect(en.summary(counts, "en")).toBe("2 of 3 files uploaded, 1 failed");
  expect(en.summary({ ...counts, done: 3, failed: 0 }, "en")).toBe("3 of 3 files uploaded");
});

test.each([
  [ar, "تمت إضافة 0 ملف."],
  [ar, "تمت إضافة ملف واحد."],
  [ar, "تمت إضافة ملفين."],
])("counts in Arabic with the forms for zero, one and two: %#", (words, sentence) => {
  const texts = [0, 1, 2].map((count) => words.added(count, "ar"));
  expect(texts).toContain(sentence);
});

test("counts in Arabic with the forms for few, many and other, in the digits of the country", () => {
  expect(ar.added(3, "ar")).toBe("تمت إضافة 3 ملفات.");
  expect(ar.added(11, "ar-EG")).toBe("تمت إضافة ١١ ملفًا.");
  expect(ar.added(100, "ar")).toBe("تمت إضافة 100 ملف.");
});

test.each([
  [de.added(1, "de"), "1 Datei hinzugefügt."],
  [de.added(2000, "de"), "2.000 Dateien hinzugefügt."],
  [fr.added(0, "fr"), "0 fichier ajouté."],
  [fr.added(1, "fr"), "1 fichier ajouté."],
  [fr.added(2, "fr"), "2 fichiers ajoutés."],
  [es.finished(1, 2, "es"), "1 archivo subido. 2 archivos con error."],
  [italian.finished(0, 1, "it"), "Nessun file caricato. 1 file non riuscito."],
  [ja.added(3, "ja"), "3件のファイルを追加しました。"],
  [de.browser.fileCount(1, "de"), "1 Datei"],
  [ar.browser.fileCount(2, "ar"), "ملفان"],
])("uses the plural form of the number: %s", (text, sentence) => {
  expect(text).toBe(sentence);
});

test("a module exports one language, named after its tag", () => {
  for (const { tag, exported } of modules) expect(Object.keys(exported)).toEqual([tag.replace("-", "")]);
});

test("the guide of the widget names every language", async () => {
  const guide = await readFile(new URL("../../../../docs/widget.md", import.meta.url), "utf8");
  const [, sentence = ""] = /^The modules are (.*)$/m.exec(guide) ?? [];
  for (const tag of tags) expect(sentence).toContain(`\`${tag}\``);
});

test("no other module of the package imports a locale", async () => {
  const source = new URL("..", import.meta.url);
  const names = (await readdir(source, { recursive: true })).filter(
    (name) => /(?<!\.test)\.tsx?$/.test(name) && !name.startsWith("locales"),
  );
  for (const name of names) {
    expect(await readFile(new URL(name, source), "utf8"), name).not.toMatch(
      /(from|import\() ?"[^"]*locales\//,
    );
  }
});
