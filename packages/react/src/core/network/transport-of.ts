import { browserRuntime, type Runtime } from "../runtime.js";
import type { HttpTransportOptions, UploadTransport } from "../transport.js";
import { createHttpTransport } from "./http-transport.js";

/** How a page reaches its backend: by HTTP to `endpoint`, or by a `transport` of its own. */
export interface BackendSettings extends Omit<HttpTransportOptions, "endpoint"> {
  endpoint?: string | undefined;
  transport?: UploadTransport | undefined;
}

/** @throws {TypeError} if the settings have neither an endpoint nor a transport */
export function transportOf(settings: BackendSettings, runtime: Runtime = browserRuntime): UploadTransport {
  const { transport, endpoint } = settings;
  if (transport) return transport;
  if (endpoint === undefined) throw new TypeError("Set endpoint or transport: the widget needs a backend");
  return createHttpTransport({ ...settings, endpoint }, runtime);
}
