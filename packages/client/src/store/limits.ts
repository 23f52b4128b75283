import type { BrowserRoute, BrowserRoutesResponse } from "@stowage/schemas";
import { parseSize, type Size } from "@stowage/schemas/page-rules";
import { hintOnce } from "../network/hint-once.js";
import type { Network } from "../network/network.js";
import type { UploadTransport } from "../transport.js";
import type { UploadLimits } from "../upload-limits.js";
import type { UploadSettings } from "../upload-settings.js";

interface LimitsDeps {
  settings(): UploadSettings;
  transport(): UploadTransport;
  network: Pick<Network, "callWithRetry">;
  /** Called when the limits have changed. */
  onChange(): void;
}

/**
 * Holds the limits in force: the limits of the page's settings, and the limits of the route, which the backend sends.
 *
 * @throws {TypeError} for a setting that is not a valid size
 */
export function createLimits({ settings, transport, network, onChange }: LimitsDeps) {
  let limits = limitsOf(settings());
  let routes: BrowserRoutesResponse["routes"] = {};
  let isFetched = false;

  function refresh() {
    const { route = "" } = settings();
    const next = limitsOf(settings(), routes[route]);
    if (JSON.stringify(next) === JSON.stringify(limits)) return;
    limits = next;
    onChange();
  }

  async function fetchRoutes() {
    const { signal } = new AbortController();
    try {
      const answer = await network.callWithRetry(async () => transport().routes?.(signal), {
        signal,
        isBackground: true,
      });
      routes = answer?.routes ?? {};
      void hintOnce({ cause: "route-missing", route: settings().route, routes: answer?.routes });
    } catch {
      // The limits of the page remain. The server checks its own limits in any case.
      return;
    }
    refresh();
  }

  return {
    current: () => limits,
    /** Call this when the settings have changed. */
    refresh,
    /** Asks the backend once for the limits of its routes. Uploads do not wait for the answer. */
    fetchOnce() {
      if (isFetched || !settings().route) return;
      isFetched = true;
      void fetchRoutes();
    },
  };
}

export type Limits = ReturnType<typeof createLimits>;

/** A limit of the page hides the limit of the route. The server still enforces its own. */
export function limitsOf(settings: UploadSettings, route: BrowserRoute = {}): UploadLimits {
  const { accept, maxSize, minSize, maxFiles, maxTotalSize } = settings;
  return {
    accept: accept ?? route.accept,
    maxSize: bytesOf(maxSize ?? route.max_size),
    minSize: bytesOf(minSize ?? route.min_size),
    maxFiles: maxFiles ?? route.max_files,
    maxTotalSize: bytesOf(maxTotalSize),
  };
}

function bytesOf(size: Size | undefined): number | undefined {
  return size === undefined ? undefined : parseSize(size);
}
