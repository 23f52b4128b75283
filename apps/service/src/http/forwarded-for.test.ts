import { expect, test } from "vitest";
import { normalizeForwardedFor } from "./forwarded-for.js";

function normalized(sent: string | undefined): string | undefined {
  const headers = { ...(sent !== undefined && { "x-forwarded-for": sent }) };
  normalizeForwardedFor(headers);
  return headers["x-forwarded-for"];
}

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["203.0.113.7:40000", "203.0.113.7"],
  ["[2001:db8::51]:40000", "2001:db8::51"],
  ["[2001:db8::51]", "2001:db8::51"],
  ["2001:db8::51", "2001:db8::51"],
  ["198.51.100.1:1, 203.0.113.7:40000 ,10.0.0.1", "198.51.100.1, 203.0.113.7, 10.0.0.1"],
])("%s is %s: an address has neither port nor brackets", (sent, address) => {
  expect(normalized(sent)).toBe(address);
});

test.each([
  ["unknown", undefined],
  ["", undefined],
  ["fe80::1%eth0", undefined],
  ['"203.0.113.9"', undefined],
  ["203.0.113.7:port", undefined],
  ["198.51.100.1, <b>x</b>, 10.0.0.1:99", "10.0.0.1"],
  [undefined, undefined],
])("%s leaves %s: what is no address is not used, and neither is what was before it", (sent, left) => {
  expect(normalized(sent)).toBe(left);
});
