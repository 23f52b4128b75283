import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { dashboardAddress } from "./dashboard-address.js";
import { createDeviceCookies } from "./device-cookie.js";

const make = (secret: string, url = "http://localhost:4000") =>
  createDeviceCookies({ secret, randomBytes, dashboard: dashboardAddress(url, () => 4000) });
const cookies = make("a secret");
const pairOf = (setCookie: string) => setCookie.split(";")[0]!;

test("knows a device again by its cookie, also among others and with an address in other letters", () => {
  const mine = pairOf(cookies.issue("ada@example.com"));
  const other = pairOf(cookies.issue("grace@example.com"));
  const id = cookies.read(`a=b; ${other}; ${mine}`, "Ada@Example.com");
  expect(id).toMatch(/^\w{22}$/);
  expect(cookies.read(`a=b; ${other}; ${mine}`, "grace@example.com")).not.toBe(id);
});

test("gives each device its own id", () => {
  const ids = [1, 2].map(() => cookies.read(pairOf(cookies.issue("a@example.com")), "a@example.com"));
  expect(new Set(ids).size).toBe(2);
});

test("does not accept the cookie of another account, of another secret, or one that was changed", () => {
  const [name, value] = pairOf(cookies.issue("ada@example.com")).split("=") as [string, string];
  const [otherName] = pairOf(cookies.issue("grace@example.com")).split("=") as [string];
  expect(cookies.read(`${otherName}=${value}`, "grace@example.com")).toBeNull();
  expect(make("another secret").read(`${name}=${value}`, "ada@example.com")).toBeNull();
  for (const changed of [
    `x${value}`,
    value.slice(0, -1),
    value.split(".")[0]!,
    "",
    ".",
    `${value}.x`.slice(1),
  ])
    expect(cookies.read(`${name}=${changed}`, "ada@example.com")).toBeNull();
  expect(cookies.read(null, "ada@example.com")).toBeNull();
});

test("is sent to the sign-in only, reveals no address, and is Secure with https", () => {
  const cookie = cookies.issue("ada@example.com");
  expect(cookie).toMatch(
    /^stowage\.device\.[\w-]{12}=\w{22}\.[\w-]{43}; Max-Age=34560000; Path=\/auth; HttpOnly; SameSite=Lax$/,
  );
  expect(make("a secret", "https://tools.example/stowage").issue("ada@example.com")).toMatch(
    /; Path=\/stowage\/auth; HttpOnly; SameSite=Lax; Secure$/,
  );
});
