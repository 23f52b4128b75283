import { errorCatalogue } from "@stowage/schemas";
import { expect, test } from "vitest";
import { errorMessage as messageOf, type ErrorMessages, firstErrors, toFailure } from "./messages.js";
import { UploadError, type UploadErrorCode } from "./upload-error.js";
import { uploadErrors } from "./upload-messages.js";

const context = { name: "a.txt", size: 1, limits: {}, status: 400, detail: undefined, locale: "en" };
const englishErrors = { ...firstErrors, ...uploadErrors };
const errorMessage = (
  code: UploadErrorCode,
  known: Parameters<typeof messageOf>[1],
  messages: Partial<ErrorMessages> = {},
) => messageOf(code, known, { ...englishErrors, ...messages });

test("has a message for every code of the catalogue and of the browser", () => {
  const codes = [...Object.keys(errorCatalogue), ...Object.keys(englishErrors)];
  for (const code of codes as UploadErrorCode[]) {
    expect(errorMessage(code, context), code).toMatch(/^[A-Z].*\.$/);
  }
});

test("names the limit that a file breaks", () => {
  const limits = { accept: "image/*,.pdf", maxSize: 10_000_000, minSize: 1000, maxFiles: 3 };
  const say = (code: UploadErrorCode) => errorMessage(code, { ...context, limits });
  expect(say("file_too_large")).toBe("This file is larger than 10 MB. Choose a smaller one.");
  expect(say("file_too_small")).toBe("This file is smaller than 1 kB. Choose a larger one.");
  expect(say("file_type_not_accepted")).toBe("This type of file is not accepted. Choose images or PDF.");
  expect(errorMessage("file_type_not_accepted", context)).toBe(
    "This type of file is not accepted. Choose another.",
  );
  expect(say("too_many_files")).toBe("You can upload at most 3 files. Remove another file first.");
});

test("does not blame the page's limit for a file that only the limit of the service refuses", () => {
  const refused = new UploadError("file_too_large", { status: 400 });
  const messageFor = (size: number) => toFailure(refused, { name: "a", size }, { maxSize: 1000 }, {}).message;
  expect(messageFor(1000)).toBe("This file is too large. Choose a smaller one.");
  expect(messageFor(1001)).toBe("This file is larger than 1 kB. Choose a smaller one.");
});

test("shows the message of the backend for a code that it does not know", () => {
  const code = "tomorrow" as UploadErrorCode;
  expect(errorMessage(code, { ...context, detail: "Only on weekdays" })).toBe("Only on weekdays");
});

test("uses the messages of the page instead of its own", () => {
  expect(errorMessage("quota_exceeded", context, { quota_exceeded: "Voll." })).toBe("Voll.");
  const large = ({ name }: { name: string }) => `${name} ist zu groß.`;
  expect(errorMessage("file_too_large", context, { file_too_large: large })).toBe("a.txt ist zu groß.");
});

test("turns an error into a failure with a message, and an unexpected error into unexpected_answer", () => {
  const item = { name: "a.txt", size: 1 };
  const full = new UploadError("quota_exceeded", { status: 403 });
  expect(
    toFailure(full, item, {}, { errorMessages: { quota_exceeded: ({ name }) => `No room for ${name}.` } }),
  ).toEqual({
    code: "quota_exceeded",
    message: "No room for a.txt.",
    status: 403,
    canRetry: true,
  });
  expect(toFailure(new TypeError("bug"), item, {}, {})).toMatchObject({
    code: "unexpected_answer",
    status: 0,
  });
});
