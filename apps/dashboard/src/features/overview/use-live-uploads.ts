import { useDocumentVisibility, useNetwork, useThrottledCallback } from "@mantine/hooks";
import { trpc } from "../../trpc.js";

/** How often what is shown is read anew, also where nothing is told. */
export const REFRESH_MS = 10_000;
/** A busy project changes all the time: its sums are read no more often than this. */
const FIGURES_MS = 2000;

/**
 * Keeps the newest uploads as the service tells of them, and reads the figures anew after each change. A page that nobody sees
 * is told nothing: a browser has few connections to one address, which all its tabs share.
 *
 * @returns whether the service tells
 */
export function useLiveUploads(projectRef: string): boolean {
  const utils = trpc.useUtils();
  const isSeen = useDocumentVisibility() === "visible";
  const { online } = useNetwork();
  const refreshFigures = useThrottledCallback(() => void utils.overview.invalidate(), FIGURES_MS);
  const { status } = trpc.overview.uploads.useSubscription(
    { projectRef },
    {
      enabled: isSeen && online,
      onData: ({ data: files }) => {
        utils.overview.newestUploads.setData({ projectRef }, files);
        refreshFigures();
      },
    },
  );
  return status === "pending";
}
