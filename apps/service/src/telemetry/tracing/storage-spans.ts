import { type Span, SpanKind } from "@opentelemetry/api";
import type { Bucket, StorageClient } from "#object-store/object-store.js";
import { inSpan, type Recorder } from "./recorder.js";

/** The operations of S3 behind the calls. */
const operations = {
  head: "HeadObject",
  read: "GetObject",
  write: "PutObject",
  copyFrom: "CopyObject",
  remove: "DeleteObject",
  list: "ListObjectsV2",
  createMultipart: "CreateMultipartUpload",
  listParts: "ListParts",
  completeMultipart: "CompleteMultipartUpload",
  abortMultipart: "AbortMultipartUpload",
  listMultiparts: "ListMultipartUploads",
  readCors: "GetBucketCors",
  writeCors: "PutBucketCors",
  check: "HeadBucket",
} satisfies Record<Exclude<keyof StorageClient, "close">, string>;

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
  return {
    ...store,
    head: traced(operations.head, store.head),
    read: traced(operations.read, store.read),
    copyFrom: traced(operations.copyFrom, store.copyFrom),
    remove: traced(operations.remove, store.remove),
    list: traced(operations.list, store.list),
    createMultipart: traced(operations.createMultipart, store.createMultipart),
    listParts: traced(operations.listParts, store.listParts),
    completeMultipart: traced(operations.completeMultipart, store.completeMultipart),
    abortMultipart: traced(operations.abortMultipart, store.abortMultipart),
    listMultiparts: traced(operations.listMultiparts, store.listMultiparts),
    readCors: traced(operations.readCors, store.readCors),
    writeCors: traced(operations.writeCors, store.writeCors),
    check: traced(operations.check, store.check),
  };
}
