import { CloudFrontClient, CreateInvalidationCommand } from "@aws-sdk/client-cloudfront";
import { batchCalls } from "#lib/batch-calls.js";
import { askEachTime, type Credentials, type CredentialsProvider } from "#object-store/credentials.js";
import { type Cdn, isPurgeFailure, purgeFailed } from "./cdn.js";

export interface CloudFrontOptions {
  distributionId: string;
  credentials: Credentials | CredentialsProvider;
  /** Makes each order a new one, so CloudFront does not take it for a repeated one. */
  randomId: () => string;
  timeoutMs: number;
  /** @default CloudFront's own */
  endpoint?: string;
}

/** CloudFront signs its API in one region, wherever the bucket is. */
const REGION = "us-east-1";
/** CloudFront takes 3,000 paths in one order, and bills each path. Few orders may run at the same time. */
const MAX_PATHS = 1000;
const MAX_CONCURRENT_ORDERS = 2;
const MAX_QUEUE_LENGTH = 10_000;

/**
 * Purges with invalidations of CloudFront (https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_CreateInvalidation.html). URLs that
 * are purged at the same time share one.
 */
export function createCloudFrontCdn(options: CloudFrontOptions): Cdn {
  const { distributionId, credentials, endpoint, timeoutMs, randomId } = options;
  const client = new CloudFrontClient({
    region: REGION,
    credentials: askEachTime(credentials),
    maxAttempts: 2,
    requestHandler: { connectionTimeout: timeoutMs, requestTimeout: timeoutMs },
    ...(endpoint !== undefined && { endpoint }),
  });

  async function invalidate(paths: string[]): Promise<void> {
    const items = [...new Set(paths)];
    const command = new CreateInvalidationCommand({
      DistributionId: distributionId,
      InvalidationBatch: { CallerReference: randomId(), Paths: { Quantity: items.length, Items: items } },
    });
    try {
      await client.send(command, { abortSignal: AbortSignal.timeout(timeoutMs) });
    } catch (error) {
      // The message may quote paths.
      throw purgeFailed(error instanceof Error ? error.name : "no answer");
    }
  }

  const join = batchCalls(invalidate, {
    maxConcurrentCalls: MAX_CONCURRENT_ORDERS,
    maxBatchSize: MAX_PATHS,
    maxWaiting: MAX_QUEUE_LENGTH,
    // An order that starts then has as long as one that did not wait.
    maxWaitMs: timeoutMs,
  });
  return {
    purge: (url) =>
      join(new URL(url).pathname).catch((error: unknown) => {
        // Without this, a full queue or a long wait in it would look like an outage of storage.
        throw isPurgeFailure(error) ? error : purgeFailed("too many orders are waiting");
      }),
    close: () => client.destroy(),
  };
}
