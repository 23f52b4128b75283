import { type Span, SpanKind } from "@opentelemetry/api";
import type { Bucket, StorageClient } from "#object-store/object-store.js";
import { s3Operations } from "../s3-operations.js";
import { inSpan, type Recorder } from "./recorder.js";

/**
 * Returns the same bucket, which also records a span for each request to storage below an active span. Retries are in the same span. It
 * has neither the path of the object nor a URL.
 */
export function traceStore(recorder: Recorder, store: Bucket, bucket: string): Bucket {
  const startSpan = (operation: string): Span | undefined =>
    recorder.startChild(`S3/${operation}`, {
      kind: SpanKind.CLIENT,
      // OpenTelemetry's conventions for S3. They are not stable yet, so the package has no constants for them.
      attributes: {
        "rpc.system.name": "aws-api",
        "rpc.method": `S3/${operation}`,
        "aws.s3.bucket": bucket,
      },
    });
  const traced =
    <Args extends unknown[], Answer>(operation: string, send: (...args: Args) => Promise<Answer>) =>
    (...args: Args): Promise<Answer> => {
      const span = startSpan(operation);
      return span ? inSpan(recorder, span, () => send(...args)) : send(...args);
    };
  // The type requires each operation, so none is forgotten.
  const client: Omit<StorageClient, "close"> = {
    head: traced(s3Operations.head, store.head),
    read: traced(s3Operations.read, store.read),
    write: traced(s3Operations.write, store.write),
    copyFrom: traced(s3Operations.copyFrom, store.copyFrom),
    remove: traced(s3Operations.remove, store.remove),
    list: traced(s3Operations.list, store.list),
    createMultipart: traced(s3Operations.createMultipart, store.createMultipart),
    listParts: traced(s3Operations.listParts, store.listParts),
    completeMultipart: traced(s3Operations.completeMultipart, store.completeMultipart),
    abortMultipart: traced(s3Operations.abortMultipart, store.abortMultipart),
    listMultiparts: traced(s3Operations.listMultiparts, store.listMultiparts),
    readCors: traced(s3Operations.readCors, store.readCors),
    writeCors: traced(s3Operations.writeCors, store.writeCors),
    check: traced(s3Operations.check, store.check),
  };
  return { ...store, ...client };
}
