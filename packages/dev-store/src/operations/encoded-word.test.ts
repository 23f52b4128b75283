import { expect, test } from "vitest";
import { encodeWords } from "./encoded-word.js";

// The second and the fourth are examples of AWS: its documentation, and an answer of its service.
test.each([
  ["AMAZONS3\t=?_", "AMAZONS3\t=?_"],
  [Buffer.from("ÄMÄZÕÑ S3").toString("latin1"), "=?UTF-8?B?w4PChE3Dg8KEWsODwpXDg8KRIFMz?="],
  ["日本", "=?UTF-8?B?5pel5pys?="],
  [Buffer.from("Miniö").toString("latin1"), "=?UTF-8?Q?Mini=C3=83=C2=B6?="],
  ["a b=c_d?\n", "=?UTF-8?Q?a_b=3Dc=5Fd=3F=0A?="],
  ["", ""],
])("writes %j as %j", (text, expected) => {
  expect(encodeWords(text)).toBe(expected);
});

test.each(["🙂".repeat(100), `“${"quoted ".repeat(30)}”`])("splits %s between characters", (text) => {
  const words = encodeWords(text).split(" ");
  expect(Math.max(...words.map(({ length }) => length))).toBeLessThanOrEqual(75);
  const decoded = words.map((word) => {
    const [, encoding, encoded] = /^=\?UTF-8\?([QB])\?(.*)\?=$/.exec(word)!;
    if (encoding === "B") return Buffer.from(encoded!, "base64").toString();
    return decodeURIComponent(encoded!.replaceAll("_", "%20").replaceAll("=", "%"));
  });
  expect(decoded.join("")).toBe(text);
});
