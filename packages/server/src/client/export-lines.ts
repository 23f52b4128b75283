import { calls, camelKeys, type ExportLine } from "@stowage/schemas";
import { operatorError } from "../errors.js";
import type { ExportedLine } from "../service-api/records.js";
import { retryCall, type RetryPolicy } from "../service-api/retry.js";
import type { ServiceCallOptions } from "../service-api/service-client.js";
import { type LineReader, streamCall } from "../service-api/stream-call.js";

interface ExportLinesDeps {
  config: ServiceCallOptions;
  retry: RetryPolicy;
}

/**
 * Reads the export of a tenant line by line. After a broken connection it asks for the rest: after the cursor of the last line.
 *
 * @param from.after the cursor after which the export starts
 */
export function exportLines(
  { config, retry }: ExportLinesDeps,
  { tenantId, after }: { tenantId: string; after: string | undefined },
) {
  let lines: LineReader<ExportLine> | null = null;
  let lastCursor = after;
  let hasTenant = false;

  /** Each retry starts with a new request, because a broken stream cannot continue. */
  async function readLine(signal: AbortSignal): Promise<ExportLine> {
    const input = { tenant_id: tenantId, after: lastCursor };
    try {
      lines ??= await streamCall(config, calls.exportTenant, input, signal);
      for (;;) {
        const line = await lines.next();
        if (line === null) {
          throw operatorError("unavailable", `The export of ${config.baseUrl} ended before its last line`);
        }
        // A request that was repeated before the first file starts with the tenant again.
        if (line.type !== "tenant" || !hasTenant) return line;
      }
    } catch (thrown) {
      lines = null;
      throw thrown;
    }
  }

  return {
    /**
     * @returns null at the end
     * @throws {StowageError} the service's refusal; `unavailable` after the last retry
     */
    async next(signal: AbortSignal): Promise<ExportedLine | null> {
      const line = await retryCall(() => readLine(signal), retry, signal);
      if (line.type === "end") return null;
      if (line.type === "tenant") hasTenant = true;
      else lastCursor = line.cursor;
      return camelKeys<ExportLine>(line) as ExportedLine;
    },
    close: () => lines?.close(),
  };
}
