import { expect, test } from "vitest";
import { isPublicAddress, requireAllowedUrl } from "./judge-address.js";

test.each(["93.184.215.14", "1.1.1.1", "2606:4700:4700::1111", "2a00:1450:4001::200e"])(
  "%s is public",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.1",
  "192.0.2.1",
  "192.168.1.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::127.0.0.1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::a00:1",
  "100::1",
  "2001::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "fc00::1",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "ff02::1",
  "not an address",
  "",
])("%s is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

/** With the dot of the DNS root. */
const DOTTED = ["127.0.0.1.", "localhost.", "a.localhost.", "printer.local.", "db.internal.", "LOCALHOST."];

test("a URL must be https and must not name a local address, unless private addresses are allowed", () => {
  const judge = (url: string, allowPrivate = false) => requireAllowedUrl({ allowPrivate }, url);
  expect(() => judge("https://hooks.example.com/a")).not.toThrow();
  expect(() => judge("https://hooks.example.com./a")).not.toThrow();
  expect(() => judge("http://hooks.example.com/a")).toThrow();
  for (const host of [
    "127.0.0.1",
    "2130706433",
    "[::1]",
    "localhost",
    "a.localhost",
    "db.internal",
    ...DOTTED,
  ]) {
    expect(() => judge(`https://${host}/`), host).toThrow();
    expect(() => judge(`http://${host}/`, true)).not.toThrow();
  }
});
