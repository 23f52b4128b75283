import type { ScanStatus } from "@stowage/schemas";
import { expect, test } from "vitest";
import { isRefused, scanState } from "./scan-state.js";

const stored = (scanStatus: ScanStatus) => ({ status: "stored" as const, scanStatus });
const clamav = { scan: "clamav" as const, allowUnscannable: false };
const off = { scan: "off" as const, allowUnscannable: false };

test("while the project scans, a file without a verdict waits for its scan and is refused", () => {
  for (const file of [stored("none"), stored("pending")]) {
    expect(scanState(file, clamav)).toBe("waiting");
    expect(isRefused(file, clamav)).toBe(true);
  }
  expect(isRefused(stored("clean"), clamav)).toBe(false);
});

test("an infected file is refused also after the project has stopped scanning", () => {
  expect(scanState(stored("infected"), off)).toBe("infected");
  expect(isRefused(stored("infected"), off)).toBe(true);
  expect(isRefused(stored("pending"), off)).toBe(false);
  expect(scanState(stored("unscannable"), off)).toBe("off");
});

test("the project decides whether a file that cannot be scanned is refused", () => {
  expect(isRefused(stored("unscannable"), clamav)).toBe(true);
  expect(isRefused(stored("unscannable"), { ...clamav, allowUnscannable: true })).toBe(false);
});

test("no scan concerns an upload that is not stored", () => {
  expect(scanState({ status: "pending", scanStatus: "none" }, clamav)).toBe("off");
});
