import { context, propagation, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { UndiciInstrumentation } from "@opentelemetry/instrumentation-undici";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import { aService, type FakeService } from "@stowage/service-fake";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage, FILE_PATH, get, post } from "../../test/a-stowage.js";
import { overNode } from "../../test/over-node.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));

const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const upload = (headers: Record<string, string>) => post("request", { filename: "a", size: 1 }, headers);
const traces = () => service.calls.map(({ trace }) => trace);

describe.each([
  ["the Web handler", (request: Request) => aStowage(service).handler(request)],
  ["a Node server", (request: Request) => overNode(aStowage(service), request)],
])("over %s", (_transport, send) => {
  test("the service gets the trace of the browser's request", async () => {
    await send(
      upload({ traceparent: TRACEPARENT, tracestate: "congo=t61rcWkgMzE, rojo@vendor=00f067aa0ba902b7" }),
    );
    const tracestate = "congo=t61rcWkgMzE, rojo@vendor=00f067aa0ba902b7";
    expect(traces()).toEqual([{ traceparent: TRACEPARENT, tracestate }]);
  });

  test.each([
    ["is not one", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331"],
    ["has a trace id of zeros", `00-${"0".repeat(32)}-b7ad6b7169203331-01`],
    ["has a span id of zeros", `00-0af7651916cd43dd8448eb211c80319c-${"0".repeat(16)}-01`],
    ["has capital letters", TRACEPARENT.toUpperCase()],
    ["has the forbidden version", TRACEPARENT.replace(/^00/, "ff")],
    ["is sent twice", `${TRACEPARENT}, ${TRACEPARENT}`],
    ["has something behind it", `${TRACEPARENT}-${"a".repeat(1000)}`],
  ])("a traceparent that %s is not sent", async (_what, traceparent) => {
    const response = await send(upload({ traceparent, tracestate: "a=b" }));
    expect([response.status, traces()]).toEqual([200, [{}]]);
  });

  test.each([
    ["is too long", `a=${"b".repeat(600)}`],
    ["has too many members", Array.from({ length: 33 }, (_, index) => `a${index}=b`).join(",")],
    ["has a key in a form that the standard forbids", "A key=b"],
    ["is empty", ""],
  ])("a tracestate that %s is not sent", async (_what, tracestate) => {
    await send(upload({ traceparent: TRACEPARENT, tracestate }));
    expect(traces()).toEqual([{ traceparent: TRACEPARENT }]);
  });
});

test("every call that a request causes has its trace, and the next request has none", async () => {
  const stowage = aStowage(service, { allowList: true, allowUsage: true });
  const headers = { traceparent: TRACEPARENT };
  const file = { filename: "a", size: 1 };
  await stowage.handler(post("request-batch", { files: [file, file] }, headers));
  await stowage.handler(post("complete", { file_path: FILE_PATH }, headers));
  await stowage.handler(get("list", {}, headers));
  await stowage.handler(get("usage", {}, headers));
  expect(service.calls.length).toBeGreaterThanOrEqual(5);
  expect(new Set(traces().map(({ traceparent }) => traceparent))).toEqual(new Set([TRACEPARENT]));
  service.calls.length = 0;
  await stowage.handler(get("usage"));
  expect(traces()).toEqual([{}]);
});

describe("in an app that has set up OpenTelemetry", () => {
  const instrumentation = new UndiciInstrumentation();
  beforeEach(() => {
    const provider = new BasicTracerProvider();
    trace.setGlobalTracerProvider(provider);
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    instrumentation.setTracerProvider(provider);
    instrumentation.enable();
  });
  afterEach(() => {
    instrumentation.disable();
    trace.disable();
    propagation.disable();
    context.disable();
  });

  test("its instrumentation of fetch sends the only traceparent", async () => {
    await aStowage(service).handler(upload({ traceparent: TRACEPARENT }));
    expect(traces()).toEqual([{ traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/) }]);
    expect(traces()[0]!.traceparent).not.toContain("b7ad6b7169203331");
  });
});
