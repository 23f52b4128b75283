import { expect, test } from "vitest";
import { fileState, untilNextChange } from "./file-state.js";

const file = { urlExpiresAt: "2026-01-01T00:00:00Z", isLost: false, parts: null };

test("a pending upload is uploading until its URL expires, and then not finished", () => {
  expect(fileState({ ...file, status: "pending" }, false)).toBe("uploading");
  expect(fileState({ ...file, status: "pending" }, true)).toBe("unfinished");
});

test("an expired file is missing if it was stored before", () => {
  expect(fileState({ ...file, status: "expired" }, true)).toBe("unfinished");
  expect(fileState({ ...file, status: "expired", isLost: true }, true)).toBe("missing");
});

test.each([false, true])("a stored file is stored, whether or not its URL has expired (%s)", (isExpired) => {
  expect(fileState({ ...file, status: "stored" }, isExpired)).toBe("stored");
});

test("files are loaded again some seconds after the first URL has expired, and every ten seconds while that upload is open", () => {
  const now = Date.parse(file.urlExpiresAt);
  const later = { ...file, status: "pending" as const, urlExpiresAt: "2026-01-01T01:00:00Z" };
  expect(untilNextChange([{ ...file, status: "stored" }], now)).toBe(false);
  expect(untilNextChange([{ ...later, urlExpiresAt: "2026-01-01T02:00:00Z" }, later], now)).toBe(3_608_000);
  expect(untilNextChange([{ ...file, status: "pending" }], now + 60_000)).toBe(10_000);
});

test("files are loaded again every 15 seconds while parts of an upload can arrive", () => {
  const now = Date.parse(file.urlExpiresAt);
  const open = { ...file, status: "pending" as const, urlExpiresAt: "2026-01-30T00:00:00Z", parts: {} };
  expect(untilNextChange([open, { ...file, status: "stored" }], now)).toBe(15_000);
});

test("files are loaded again every ten seconds while one of them waits for its scan", () => {
  const stored = { ...file, status: "stored" as const };
  const files = [
    { ...stored, scanStatus: "clean" as const },
    { ...stored, scanStatus: "pending" as const },
  ];
  expect(untilNextChange(files, Date.parse(file.urlExpiresAt))).toBe(10_000);
});
