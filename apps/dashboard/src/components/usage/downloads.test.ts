import { expect, test } from "vitest";
import { hasAccessLogs, hasDownloads } from "./downloads.js";

const day = (downloadsSigned: number, bytesDelivered: number | null) => ({
  day: "2026-01-31",
  downloadsSigned,
  bytesSigned: 0,
  bytesDelivered,
});

test("days have downloads if one was signed, or an access log was imported, also one without bytes of the tenant", () => {
  const none = day(0, null);
  expect([[], [none], [none, day(1, null)], [day(0, 5), none], [none, day(0, 0)]].map(hasDownloads)).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});

test("without an access log, it is unknown what was delivered", () => {
  expect([[day(3, null)], [day(3, null), day(0, 0)]].map(hasAccessLogs)).toEqual([false, true]);
});
