import { expect, test } from "vitest";
import { dashboardAddress } from "./dashboard-address.js";

test("uses the setting as the only address", () => {
  const address = dashboardAddress("https://storage.example", () => 4000);
  expect(address.url()).toBe("https://storage.example");
  expect(address.origins()).toEqual(["https://storage.example"]);
  expect(address.basePath).toBe("");
});

test("links lead below the path of the setting, whose pages have the origin of their host", () => {
  const address = dashboardAddress("https://tools.example/stowage", () => 4000);
  expect(address.url()).toBe("https://tools.example/stowage");
  expect(address.origins()).toEqual(["https://tools.example"]);
  expect(address.basePath).toBe("/stowage");
});

test("uses this machine's names and the current port without a setting", () => {
  let port = 0;
  const address = dashboardAddress(undefined, () => port);
  port = 4711;
  expect(address.url()).toBe("http://localhost:4711");
  expect(address.origins()).toEqual(["http://localhost:4711", "http://127.0.0.1:4711", "http://[::1]:4711"]);
  port = 80;
  expect(address.url()).toBe("http://localhost");
});
