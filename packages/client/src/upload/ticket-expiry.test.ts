import { expect, test } from "vitest";
import { aRuntime } from "../../test/runtime.js";
import type { UploadTicket } from "../transport.js";
import { UploadError } from "../upload-error.js";
import { looksExpired, trackExpiry } from "./ticket-expiry.js";

const ticket = { expires_in: 60, expires_at: "2000-01-01T00:00:00Z" } as UploadTicket;

test("counts from the arrival of the ticket, even if the system clock is wrong", () => {
  const runtime = aRuntime();
  runtime.setClock(-5 * 3_600_000);
  const remainingMs = trackExpiry(ticket, runtime);
  expect(remainingMs()).toBe(60_000);
  runtime.advance(10_000);
  expect(remainingMs()).toBe(50_000);
});

test("ignores a system clock that is set back, and notices that the computer slept", () => {
  const runtime = aRuntime();
  const remainingMs = trackExpiry(ticket, runtime);
  runtime.advance(20_000);
  runtime.setClock(-3_600_000);
  expect(remainingMs()).toBe(40_000);
  runtime.sleep(2 * 3_600_000);
  expect(remainingMs()).toBeLessThan(0);
});

test("takes a 403 as an expired URL, and a 400 that says so or comes too late", () => {
  const runtime = aRuntime();
  const remainingMs = trackExpiry(ticket, runtime);
  const refused = (status: number, cause?: string) => new UploadError("storage_refused", { status, cause });
  expect(looksExpired(refused(403), remainingMs())).toBe(true);
  expect(looksExpired(refused(400), remainingMs())).toBe(false);
  expect(looksExpired(refused(400, "<Code>ExpiredToken</Code>"), remainingMs())).toBe(true);
  expect(looksExpired(refused(400, "<Message>Request has expired</Message>"), remainingMs())).toBe(true);
  runtime.advance(60_000);
  expect(looksExpired(refused(400), remainingMs())).toBe(true);
  expect(looksExpired(refused(412), remainingMs())).toBe(false);
});
