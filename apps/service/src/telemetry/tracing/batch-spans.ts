import type { Span } from "@opentelemetry/api";
import type { BatchObserver, ObservedInput } from "#db/traffic/batches.js";
import { endWithError, type Recorder } from "./recorder.js";

interface TracedInput extends ObservedInput {
  span: Span | undefined;
}

/**
 * Records a span for each input of a batch, from its arrival to its output. The shared call runs below the span of the first input that is
 * traced. This span and the spans of the other inputs link to each other, so each trace leads to the statement.
 *
 * @param name what happens to an input
 */
export function createBatchSpans(recorder: Recorder, name: string): BatchObserver {
  return {
    onInput(): TracedInput {
      const span = recorder.startChild(name, {});
      return {
        span,
        end(error) {
          if (span && error !== undefined) endWithError(span, error);
          else span?.end();
        },
      };
    },
    onCall(inputs, run) {
      const spans = (inputs as TracedInput[]).flatMap(({ span }) => span ?? []);
      const [first, ...others] = spans;
      for (const other of others) {
        other.addLink({ context: first!.spanContext() });
        first!.addLink({ context: other.spanContext() });
      }
      for (const span of spans) span.setAttribute("stowage.batch.size", inputs.length);
      return recorder.runIn(first, run);
    },
  };
}
