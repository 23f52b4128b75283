import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { MessageContext } from "../core/messages.js";
import type { UploadErrorCode } from "../core/upload-error.js";
import type { UploadLabels } from "../parts/labels.js";
import { ar } from "./ar.js";
import { de } from "./de.js";
import { en } from "./en.js";
import { es } from "./es.js";
import { fr } from "./fr.js";
import { it as italian } from "./it.js";
import { ja } from "./ja.js";
import { ko } from "./ko.js";
import { nl } from "./nl.js";
import { pt } from "./pt.js";
import type { UploadLocale } from "./upload-locale.js";
import { zhCN } from "./zh-CN.js";

const locales = [en, de, fr, es, pt, italian, nl, ja, ko, zhCN, ar];
const others = locales.slice(1).map((locale) => [locale.locale, locale] as const);

const NAME = "Überlauf 文 (1).pdf";
const MB = 1024 ** 2;

/** Every sentence that a locale can say, by what it is said of; what was put into each must be found in it. */
function sentencesOf(words: UploadLocale): { key: string; text: string; holds: string[] }[] {
  const { locale } = words;
  const number = (value: number) => value.toLocaleString(locale);
  const said = (key: string, text: string, ...holds: string[]) => ({ key, text, holds });
  const plain = Object.entries(words).flatMap(([key, value]) =>
    typeof value === "string" && key !== "locale" ? [said(key, value)] : [],
  );
  const kinds = Object.entries(words.kinds).map(([key, value]) => said(key, value));
  const hint = { kinds: "PDF", minSize: "1 kB", maxSize: "4 MB", maxTotalSize: "9 MB", maxFiles: 1234 };
  const standing = { files: 9876, active: 0, done: 5432, failed: 1234, percent: "45 %" };
  const labels = [
    said("hint", words.hint(hint, locale), "PDF", "1 kB", "4 MB", "9 MB", number(1234)),
    said("cancel", words.cancel(NAME), NAME),
    said("retry", words.retry(NAME), NAME),
    said("remove", words.remove(NAME), NAME),
    said("showMore", words.showMore(4321, locale), number(4321)),
    said("summary", words.summary(standing, locale), number(9876), number(5432), number(1234)),
    said("summary, under way", words.summary({ ...standing, active: 77 }, locale), number(77), "45 %"),
    said("uploading", words.uploading("45 %"), "45 %"),
    said("retrying", words.retrying(2, 5, locale), number(2), number(5)),
    said("sent", words.sent("1 MB", "9 MB"), "1 MB", "9 MB"),
    said("timeLeft", words.timeLeft("3 min"), "3 min"),
    said("added", words.added(1234, locale), number(1234)),
    said("failed", words.failed(NAME, "Why."), NAME, "Why."),
    said("cancelled", words.cancelled(NAME), NAME),
    said("deleted", words.deleted(NAME), NAME),
    said("notDeleted", words.notDeleted(NAME, "Why."), NAME, "Why."),
    said("progress", words.progress("45 %"), "45 %"),
    said("finished", words.finished(5432, 1234, locale), number(5432), number(1234)),
    said("finished, none", words.finished(0, 0, locale)),
  ];
  const limits = {
    accept: ".pdf,image/*",
    maxSize: 4 * MB,
    minSize: 2 * MB,
    maxFiles: 1234,
    maxTotalSize: 9 * MB,
  };
  const context: MessageContext = { name: NAME, size: 1, limits, status: 400, detail: undefined, locale };
  const error = (code: UploadErrorCode, given: Partial<MessageContext> = {}) => {
    const message = words.errors[code];
    return typeof message === "string" ? message : message({ ...context, ...given });
  };
  const held: Partial<Record<UploadErrorCode, string[]>> = {
    file_type_not_accepted: ["PDF", words.kinds["image/*"]!],
    file_too_large: [number(4)],
    file_too_small: [number(2)],
    too_many_files: [number(1234)],
    total_size_exceeded: [number(9)],
  };
  const errors = (Object.keys(words.errors) as UploadErrorCode[]).map((code) =>
    said(code, error(code), ...(held[code] ?? [])),
  );
  return [
    ...plain,
    ...kinds,
    ...labels,
    ...errors,
    said("only one file", error("too_many_files", { limits: { maxFiles: 1 } })),
    said("too large for a limit that is not known", error("file_too_large", { limits: {} })),
    said("not accepted, and the kinds not known", error("file_type_not_accepted", { limits: {} })),
  ];
}

const textsOf = (words: UploadLocale) => new Map(sentencesOf(words).map(({ key, text }) => [key, text]));

// The same word in two languages, and no sentence.
const COGNATES: ReadonlySet<string> = new Set(["fr image/*", "de video/*"]);

describe.each(others)("%s", (tag, words) => {
  it("says all that English says", () => {
    expect(Object.keys(words).sort()).toEqual(Object.keys(en).sort());
    expect(Object.keys(words.errors).sort()).toEqual(Object.keys(en.errors).sort());
    for (const { key, text } of sentencesOf(words)) {
      expect(text.trim(), key).not.toBe("");
      expect(text, key).not.toMatch(/undefined|\bnull\b|NaN|\[object|#|\$\{| {2}|\s$/);
    }
  });

  it("keeps every name, number and size that it was given", () => {
    for (const { key, text, holds } of sentencesOf(words)) {
      for (const part of holds) expect(text, key).toContain(part);
    }
  });

  it("has no English left in it", () => {
    const english = textsOf(en);
    for (const [key, text] of textsOf(words)) {
      if (COGNATES.has(`${tag} ${key}`)) continue;
      expect(text, key).not.toBe(english.get(key));
      expect(text.replace(NAME, "").replace("Why.", ""), key).not.toMatch(
        /\b(the|this|your?|files?(?= (is|was|are|has))|again|uploaded|uploading|cancel|retry|choose|try|was|not)\b/i,
      );
    }
  });

  it("passes on the backend's own sentence where there is one", () => {
    const context = { name: NAME, size: 1, limits: {}, status: 403, detail: "Nur werktags.", locale: tag };
    for (const code of ["upload_refused", "request_refused", "invalid_request", "file_refused"] as const) {
      const message = words.errors[code];
      expect(typeof message === "function" && message(context)).toBe("Nur werktags.");
    }
  });

  it("is what the widget takes as its labels, and carries its own tag", () => {
    expect(words satisfies Partial<UploadLabels>).toHaveProperty("locale", tag);
    expect(Intl.getCanonicalLocales(tag)).toEqual([tag]);
  });
});

it("keeps the order of Arabic around names, numbers and kinds in other letters", () => {
  const begins = (text: string) =>
    /[\p{Script=Latin}\p{Script=Arabic}]/u.exec(text.replace(/\u2068[^\u2069]*\u2069/g, ""));
  const said = [
    ar.hint({ kinds: "PDF, TXT", minSize: "", maxSize: "5 MB", maxTotalSize: "" }, "ar"),
    ...["file_type_not_accepted", "file_too_large"].map((code) => textsOf(ar).get(code)!),
    ar.sent("1 MB", "2 MB"),
    ar.remove("report.pdf"),
    ar.failed("report.pdf", "لماذا."),
    ar.summary({ files: 3, active: 2, done: 1, failed: 0, percent: "45%" }, "ar"),
  ];
  for (const text of said) {
    expect(text).toContain("\u2068");
    expect(begins(text)?.[0]).toMatch(/\p{Script=Arabic}/u);
    expect(text.replace(/\u2068[^\u2069]*\u2069/g, "")).not.toMatch(/\p{Script=Latin}/u);
  }
});

it("says in English, as in every language, how many of how many files are uploaded", () => {
  const standing = { files: 3, active: 0, done: 2, failed: 1, percent: "" };
  expect(en.summary(standing, "en")).toBe("2 of 3 files uploaded, 1 failed");
  expect(en.summary({ ...standing, done: 3, failed: 0 }, "en")).toBe("3 of 3 files uploaded");
});

it.each([
  [ar, "تمت إضافة 0 ملف."],
  [ar, "تمت إضافة ملف واحد."],
  [ar, "تمت إضافة ملفين."],
])("counts in Arabic by its own forms: %#", (words, sentence) => {
  const said = [0, 1, 2].map((count) => words.added(count, "ar"));
  expect(said).toContain(sentence);
});

it("counts in Arabic few, many and others, in the digits of the country", () => {
  expect(ar.added(3, "ar")).toBe("تمت إضافة 3 ملفات.");
  expect(ar.added(11, "ar-EG")).toBe("تمت إضافة ١١ ملفًا.");
  expect(ar.added(100, "ar")).toBe("تمت إضافة 100 ملف.");
});

it.each([
  [de.added(1, "de"), "1 Datei hinzugefügt."],
  [de.added(2000, "de"), "2.000 Dateien hinzugefügt."],
  [fr.added(0, "fr"), "0 fichier ajouté."],
  [fr.added(1, "fr"), "1 fichier ajouté."],
  [fr.added(2, "fr"), "2 fichiers ajoutés."],
  [es.finished(1, 2, "es"), "1 archivo subido. 2 archivos con error."],
  [italian.finished(0, 1, "it"), "Nessun file caricato. 1 file non riuscito."],
  [ja.added(3, "ja"), "3件のファイルを追加しました。"],
])("makes words agree with numbers: %s", (text, sentence) => {
  expect(text).toBe(sentence);
});

it("has a module and a subpath for each language, and every one of them is tested", async () => {
  const tags = locales.map(({ locale }) => locale).sort();
  const names = (await readdir(import.meta.dirname)).filter((name) => !/\.test\.|^upload-locale/.test(name));
  expect(names.sort()).toEqual(tags.map((tag) => `${tag}.ts`));
  const manifest = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  const { exports } = JSON.parse(manifest) as { exports: Record<string, object> };
  const subpaths = Object.keys(exports).filter((subpath) => subpath.startsWith("./locales/"));
  expect(subpaths.sort()).toEqual(tags.map((tag) => `./locales/${tag}`));
});

it("is brought into a page only by a page that asks for it", async () => {
  const source = new URL("..", import.meta.url);
  const names = (await readdir(source, { recursive: true })).filter(
    (name) => /\.tsx?$/.test(name) && !name.startsWith("locales"),
  );
  for (const name of names) {
    expect(await readFile(new URL(name, source), "utf8"), name).not.toMatch(
      /(from|import\() ?"[^"]*locales\//,
    );
  }
});
