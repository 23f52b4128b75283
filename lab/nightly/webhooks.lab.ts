import { test } from "vitest";
import { expectEveryWebhook } from "@stowage/service/test/faults/webhooks-under-kills.js";

const EVENTS = Number(process.env["EVENTS"] ?? 10_000);

test(`of ${EVENTS} events under kills each one arrives at least once, and none is false`, () =>
  expectEveryWebhook(EVENTS));
