import { useSyncExternalStore } from "react";
import { basePath } from "./base-path.js";
import { toSentence } from "./components/format.js";
import { createServiceStatus, type Readiness, type ServiceStatus } from "./service-status.js";

/** The status of the service that this browser talks to. */
export const serviceStatus = createServiceStatus({
  readReadiness,
  isOnline: () => navigator.onLine,
  random: Math.random,
});

export function useServiceStatus(): ServiceStatus {
  return useSyncExternalStore(serviceStatus.subscribe, serviceStatus.get);
}

/** Reports to {@link serviceStatus} when the browser loses or finds its network. */
export function watchNetwork(): void {
  window.addEventListener("offline", serviceStatus.reportOffline);
  window.addEventListener("online", serviceStatus.checkNow);
}

const READINESS_TIMEOUT_MS = 10_000;
const UNAVAILABLE = 503;
const BAD_GATEWAY = 502;
const GATEWAY_TIMEOUT = 504;

/** Asks `/readyz`, whose answer names what is down: `{"detail": "Not ready: the database does not answer"}`. */
async function readReadiness(): Promise<Readiness> {
  try {
    const response = await fetch(`${basePath}/readyz`, {
      cache: "no-store",
      signal: AbortSignal.timeout(READINESS_TIMEOUT_MS),
    });
    // A proxy answers for a service that it cannot reach.
    if ([BAD_GATEWAY, GATEWAY_TIMEOUT].includes(response.status)) return { isAnswered: false };
    if (response.status !== UNAVAILABLE) return { isAnswered: true, problem: null };
    const { detail } = (await response.json()) as { detail: string };
    return { isAnswered: true, problem: toSentence(detail.replace(/^Not ready: /, "")) };
  } catch {
    return { isAnswered: false };
  }
}
