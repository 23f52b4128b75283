import { SpanKind } from "@opentelemetry/api";
import {
  ATTR_DB_COLLECTION_NAME,
  ATTR_DB_OPERATION_NAME,
  ATTR_DB_QUERY_SUMMARY,
  ATTR_DB_RESPONSE_STATUS_CODE,
  ATTR_DB_STORED_PROCEDURE_NAME,
  ATTR_DB_SYSTEM_NAME,
  DB_SYSTEM_NAME_VALUE_POSTGRESQL,
} from "@opentelemetry/semantic-conventions";
import type { Lane } from "#db/client.js";
import type { StatementObserver } from "#db/driver/observe-statements.js";
import { findErrorCode } from "#db/driver/unavailable.js";
import { endWithError, inSpan, type Recorder } from "./recorder.js";
import { createSummarize } from "./statement-summary.js";

/**
 * Records a span for each SQL statement and each transaction below an active span. A span has neither the text of a statement nor its
 * values, only the operation and the table or function.
 */
export function createStatementSpans(recorder: Recorder): (lane: Lane) => StatementObserver {
  const summarize = createSummarize();
  return (lane) => {
    const common = {
      [ATTR_DB_SYSTEM_NAME]: DB_SYSTEM_NAME_VALUE_POSTGRESQL,
      "stowage.db.lane": lane,
    };
    return {
      onStatement(text) {
        if (!recorder.activeSpan()) return undefined;
        const { operation, target, isFunction } = summarize(text);
        const summary = target === undefined ? operation : `${operation} ${target}`;
        const targetAttribute = isFunction ? ATTR_DB_STORED_PROCEDURE_NAME : ATTR_DB_COLLECTION_NAME;
        const attributes = {
          ...common,
          [ATTR_DB_OPERATION_NAME]: operation,
          [ATTR_DB_QUERY_SUMMARY]: summary,
          ...(target !== undefined && { [targetAttribute]: target }),
        };
        const span = recorder.startChild(summary, { kind: SpanKind.CLIENT, attributes });
        return (error) => {
          if (error === undefined) return span?.end();
          if (!span) return undefined;
          const sqlState = findErrorCode(error);
          if (sqlState === undefined) return endWithError(span, error);
          span.setAttribute(ATTR_DB_RESPONSE_STATUS_CODE, sqlState);
          return endWithError(span, error, sqlState);
        };
      },
      onTransaction(run) {
        const span = recorder.startChild("transaction", { attributes: common });
        return span ? inSpan(recorder, span, run) : run();
      },
    };
  };
}
