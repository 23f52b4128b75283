import { browserRuntime, type Runtime } from "../runtime.js";
import type { HttpTransportOptions, UploadTransport } from "../transport.js";
import { createHttpTransport } from "./http-transport.js";

/** How a page reaches its backend: by HTTP to `endpoint`, or by a `transport` of its own. */
export interface BackendSettings extends Omit<HttpTransportOptions, "endpoint"> {
  endpoint?: string | undefined;
  transport?: UploadTransport | undefined;
}

/**
 * Returns the function {@link transportOf} with a memory: as long as the endpoint is the same, it returns the same transport, which
 * shares calls between files. Other settings may change with each render of the page.
 */
export function keepTransport(runtime: Runtime): (settings: BackendSettings) => UploadTransport {
  let current: BackendSettings;
  let kept: { endpoint: string; transport: UploadTransport } | undefined;
  return (settings) => {
    current = settings;
    const { transport, endpoint } = settings;
    if (transport || endpoint === undefined) return transportOf(settings, runtime);
    if (kept?.endpoint !== endpoint) {
      const options = {
        endpoint,
        get headers() {
          return current.headers;
        },
        get credentials() {
          return current.credentials;
        },
      };
      kept = { endpoint, transport: createHttpTransport(options, runtime) };
    }
    return kept.transport;
  };
}

/** @throws {TypeError} if the settings have neither an endpoint nor a transport */
export function transportOf(settings: BackendSettings, runtime: Runtime = browserRuntime): UploadTransport {
  const { transport, endpoint } = settings;
  if (transport) return transport;
  if (endpoint === undefined) throw new TypeError("Set endpoint or transport: the widget needs a backend");
  return createHttpTransport({ ...settings, endpoint }, runtime);
}
