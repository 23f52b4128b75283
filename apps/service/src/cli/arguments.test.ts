import { webhookEventTypes } from "@stowage/schemas";
import { InvalidArgumentError } from "commander";
import { describe, expect, test } from "vitest";
import {
  bytes,
  bytesOrNone,
  count,
  endpointUrl,
  eventId,
  eventTypes,
  httpUrl,
  maxFileBytes,
  onOff,
  origins,
  projectName,
  time,
  trashDays,
} from "./arguments.js";

const EVENT_ID = "0198c6c5-5a00-7000-8000-000000000001";

describe("an argument", () => {
  test("is parsed to its value", () => {
    expect(bytes("0")).toBe(0);
    expect(bytesOrNone("12")).toBe(12);
    expect(bytesOrNone("none")).toBe("none");
    expect(maxFileBytes("5497558138880")).toBe(5 * 1024 ** 4);
    expect(onOff("on")).toBe(true);
    expect(onOff("off")).toBe(false);
    expect(projectName(" Acme ")).toBe("Acme");
    expect(trashDays("0")).toBe(0);
    expect(trashDays("90")).toBe(90);
    expect(count("100")).toBe(100);
    expect(origins("https://app.example.com/", ["http://localhost:3000"])).toEqual([
      "http://localhost:3000",
      "https://app.example.com",
    ]);
    expect(
      ["app://bundle/", "capacitor://localhost", "tauri://localhost"].flatMap((text) => origins(text)),
    ).toEqual(["app://bundle", "capacitor://localhost", "tauri://localhost"]);
    expect(httpUrl("http://127.0.0.1:4000")).toBe("http://127.0.0.1:4000");
    expect(endpointUrl(" https://example.com/hooks?key=1 ")).toBe("https://example.com/hooks?key=1");
    expect(eventTypes("file.deleted, file.stored")).toEqual(["file.stored", "file.deleted"]);
    expect(eventTypes("all")).toEqual(webhookEventTypes);
    expect(eventId(`evt_${EVENT_ID}`)).toBe(EVENT_ID);
    expect(eventId(EVENT_ID)).toBe(EVENT_ID);
    expect(time("2026-01-31T12:00:00+02:00")).toBe("2026-01-31T12:00:00+02:00");
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
    [trashDays, "91"],
    [trashDays, "-1"],
    [trashDays, ""],
    [count, "0"],
    [origins, "app.example.com"],
    [origins, "https://app.example.com/path"],
    [origins, "https://user@app.example.com"],
    [origins, "ftp://app.example.com"],
    [origins, "*"],
    [origins, "null"],
    [origins, "file:///app/index.html"],
    [origins, "file://"],
    [origins, "app://bundle/index.html"],
    [origins, "app:bundle"],
    [origins, "data:text/html,x"],
    [httpUrl, "localhost:4000"],
    [endpointUrl, "example.com"],
    [endpointUrl, "https://user:password@example.com"],
    [eventTypes, "file.stored,file.burnt"],
    [eventTypes, "webhook.test"],
    [eventTypes, ""],
    [eventId, "evt_1"],
    [time, "2026-01-31"],
    [time, "yesterday"],
  ])("is refused by %o when it is %j", (parse, text) => {
    expect(() => parse(text)).toThrow(InvalidArgumentError);
  });
});
