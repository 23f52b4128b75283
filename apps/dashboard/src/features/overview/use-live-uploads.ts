import { useDocumentVisibility, useThrottledCallback } from "@mantine/hooks";
import { isOutage } from "../../call-errors.js";
import { serviceStatus, useServiceStatus } from "../../service.js";
import { trpc } from "../../trpc.js";

/** How often the overview is refetched. Also covers the time without a live connection. */
export const REFRESH_MS = 10_000;
/** Limits how often the totals of a busy project are refetched. */
const TOTALS_THROTTLE_MS = 2000;

/**
 * Subscribes to the newest uploads, and refetches the totals after each change. A hidden page does not subscribe, because all tabs
 * share the few connections that a browser opens to one origin.
 *
 * @returns whether the live connection is open
 */
export function useLiveUploads(projectRef: string): boolean {
  const utils = trpc.useUtils();
  const isVisible = useDocumentVisibility() === "visible";
  const isAnswering = useServiceStatus().state === "answering";
  const refetchTotals = useThrottledCallback(() => void utils.overview.invalidate(), TOTALS_THROTTLE_MS);
  const { status } = trpc.overview.uploads.useSubscription(
    { projectRef },
    {
      // The browser does not reconnect by itself if a proxy answers for the service. Then the end of the outage reconnects.
      enabled: isVisible && isAnswering,
      onError: (error) => {
        if (isOutage(error)) serviceStatus.reportFailure();
      },
      onData: ({ data: files }) => {
        utils.overview.newestUploads.setData({ projectRef }, files);
        refetchTotals();
      },
    },
  );
  return status === "pending";
}
