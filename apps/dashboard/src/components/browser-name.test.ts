import { expect, test } from "vitest";
import { browserName } from "./browser-name.js";

const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";
const phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)";

test.each([
  [`${windows} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36`, "Chrome on Windows"],
  [
    `${windows} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36 Edg/126.0`,
    "Edge on Windows",
  ],
  [`${mac} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15`, "Safari on macOS"],
  [`${phone} AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0 Mobile Safari/604.1`, "Chrome on iOS"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0", "Firefox on Linux"],
  ["curl/8.5.0", "curl"],
  ["stowage-cli", "stowage-cli"],
  ["", ""],
])("%j is shown as %j", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
