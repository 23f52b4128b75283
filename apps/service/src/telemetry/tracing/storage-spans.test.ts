import { ROOT_CONTEXT } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { expect, test } from "vitest";
import type { Bucket } from "#object-store/object-store.js";
import { s3Operations } from "../s3-operations.js";
import { createRecorder } from "./recorder.js";
import { traceStore } from "./storage-spans.js";

test("every request to storage has a span, and only below an active one", async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const recorder = createRecorder(provider.getTracer("test"));
  const calls = Object.keys(s3Operations) as (keyof typeof s3Operations)[];
  const answering = Object.fromEntries(calls.map((call) => [call, async () => null]));
  const traced = traceStore(recorder, answering as unknown as Bucket, "photos");
  const send = (call: keyof typeof s3Operations) => (traced[call] as () => Promise<unknown>)();
  for (const call of calls) await send(call);
  expect(exporter.getFinishedSpans()).toEqual([]);
  const request = recorder.startSpan("request", {}, ROOT_CONTEXT);
  for (const call of calls) await recorder.runIn(request, () => send(call));
  const names = exporter.getFinishedSpans().map(({ name }) => name);
  expect(names).toEqual(Object.values(s3Operations).map((operation) => `S3/${operation}`));
});
