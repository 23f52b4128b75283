import { basePath } from "./base-path.js";
import { serviceStatus } from "./service.js";
import type { ServiceStatus } from "./service-status.js";

/** A chunk is missing because another version of the dashboard was installed since this page was loaded. */
export class NewVersionError extends Error {
  override readonly name = "NewVersionError";
}

/**
 * Loads a chunk of the dashboard. While the browser is offline or the service does not answer, it waits.
 *
 * @throws {NewVersionError} if the chunk is gone because another version was installed
 * @throws the browser's error if the chunk cannot be loaded for another reason
 */
export async function loadChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  // Some browsers remember a failed import until the page is reloaded, so no import starts that is certain to fail.
  if (!navigator.onLine) serviceStatus.reportOffline();
  await serviceStatus.until(sendsFiles);
  try {
    return await load();
  } catch (error) {
    const version = await findVersion();
    if (version === "other") throw new NewVersionError("", { cause: error });
    if (version === "unknown") {
      serviceStatus.reportFailure();
      await serviceStatus.until(sendsFiles);
      if ((await findVersion()) === "other") throw new NewVersionError("", { cause: error });
    }
    return load();
  }
}

/** The service sends the dashboard's files also while its database is down. */
const sendsFiles = ({ state }: ServiceStatus) => state === "answering" || state === "failing";

const VERSION_TIMEOUT_MS = 10_000;

/** Compares this page with the installed version. The name of the first script contains a hash of its content. */
async function findVersion(): Promise<"same" | "other" | "unknown"> {
  const script = document.querySelector<HTMLScriptElement>("script[type=module][src]");
  try {
    const response = await fetch(`${basePath}/`, {
      headers: { Accept: "text/html" },
      cache: "no-store",
      signal: AbortSignal.timeout(VERSION_TIMEOUT_MS),
    });
    if (!response.ok || !script) return "unknown";
    return (await response.text()).includes(new URL(script.src).pathname) ? "same" : "other";
  } catch {
    return "unknown";
  }
}
