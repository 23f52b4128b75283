import { InvalidArgumentError } from "commander";
import { describe, expect, test } from "vitest";
import {
  bytes,
  bytesOrNone,
  count,
  httpUrl,
  maxFileBytes,
  onOff,
  origins,
  projectName,
} from "./arguments.js";

describe("an argument", () => {
  test("is parsed to its value", () => {
    expect(bytes("0")).toBe(0);
    expect(bytesOrNone("12")).toBe(12);
    expect(bytesOrNone("none")).toBe("none");
    expect(maxFileBytes("5497558138880")).toBe(5 * 1024 ** 4);
    expect(onOff("on")).toBe(true);
    expect(onOff("off")).toBe(false);
    expect(projectName(" Acme ")).toBe("Acme");
    expect(count("100")).toBe(100);
    expect(origins("https://app.example.com/", ["http://localhost:3000"])).toEqual([
      "http://localhost:3000",
      "https://app.example.com",
    ]);
    expect(httpUrl("http://127.0.0.1:4000")).toBe("http://127.0.0.1:4000");
  });

  test.each<[(text: string) => unknown, string]>([
    [bytes, "many"],
    [bytes, "-1"],
    [bytes, "1.5"],
    [bytes, ""],
    [bytes, "9999999999999999"],
    [bytesOrNone, "None"],
    [maxFileBytes, "5497558138881"],
    [onOff, "yes"],
    [projectName, "  "],
    [projectName, "a\u001b[31m"],
    [count, "0"],
    [origins, "app.example.com"],
    [origins, "https://app.example.com/path"],
    [origins, "https://user@app.example.com"],
    [origins, "ftp://app.example.com"],
    [origins, "*"],
    [httpUrl, "localhost:4000"],
  ])("is refused by %o when it is %j", (parse, text) => {
    expect(() => parse(text)).toThrow(InvalidArgumentError);
  });
});
