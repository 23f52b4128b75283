import { afterEach, expect, test, vi } from "vitest";
import { isLocalNetworkDenied, isPrivateAddress } from "./local-network.js";

afterEach(() => vi.unstubAllGlobals());

const PRIVATE = "http://192.168.1.20/bucket/key";
const PUBLIC = "https://storage.example.com/key";

/** A browser that knows these permissions. */
function aBrowser(states: Record<string, PermissionState>) {
  const query = async ({ name }: { name: string }) => {
    if (!(name in states)) throw new TypeError(`'${name}' is not a valid enum value`);
    return { state: states[name] };
  };
  vi.stubGlobal("navigator", { permissions: { query } });
}

test.each([
  ["in Chromium, for a device of the network", { "loopback-network": "prompt", "local-network": "denied" }],
  ["in Chromium, for this device", { "loopback-network": "denied", "local-network": "prompt" }],
  ["in an older Chromium, which has one permission for both", { "local-network-access": "denied" }],
] as const)("finds a denial %s", async (_, states) => {
  aBrowser(states);
  expect(await isLocalNetworkDenied(PRIVATE, () => false)).toBe(true);
  expect(await isLocalNetworkDenied(PUBLIC, () => false)).toBe(false);
  // The name may lead to a private address.
  expect(await isLocalNetworkDenied(PUBLIC, () => true)).toBe(true);
});

test("takes a question that the person did not answer for a denial if a page of a public address has more signs of it", async () => {
  aBrowser({ "local-network": "prompt" });
  vi.stubGlobal("location", { href: "https://app.example.com/documents" });
  expect(await isLocalNetworkDenied(PRIVATE, () => true)).toBe(true);
  expect(await isLocalNetworkDenied(PRIVATE, () => false)).toBe(false);
  expect(await isLocalNetworkDenied(PUBLIC, () => true)).toBe(false);
  vi.stubGlobal("location", { href: "http://localhost:3000/documents" });
  expect(await isLocalNetworkDenied(PRIVATE, () => true)).toBe(false);
});

test("finds no denial where it was allowed, or the browser never asks", async () => {
  for (const states of [{ "local-network": "granted" }, {}] as const) {
    aBrowser(states);
    expect(await isLocalNetworkDenied(PRIVATE, () => true)).toBe(false);
  }
  vi.stubGlobal("navigator", undefined);
  expect(await isLocalNetworkDenied(PRIVATE, () => true)).toBe(false);
});

test.each([
  "http://localhost:4001/bucket",
  "https://nas/upload",
  "https://storage.local",
  "http://127.0.0.1:9000/",
  "http://10.1.2.3/",
  "https://172.31.0.1:443/a",
  "https://192.168.1.20/bucket/key?X-Amz-Signature=1",
  "http://[::1]:4001/",
  "http://[fd12:3456::1]/",
])("knows %s as a private address", (url) => {
  expect(isPrivateAddress(url)).toBe(true);
});

test.each([
  "https://bucket.s3.eu-central-1.amazonaws.com/key",
  "https://172.32.0.1/",
  "https://100.example.com/",
  "https://10.example.com/",
  "https://example.com/localhost",
  "/api/stowage",
  "http://[2001:db8::1]/",
])("takes %s for a public one", (url) => {
  expect(isPrivateAddress(url)).toBe(false);
});
