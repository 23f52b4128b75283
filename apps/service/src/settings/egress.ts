import * as z from "zod";
import type { ProxyAddress } from "#lib/egress-proxy.js";
import { parseNoProxy } from "#lib/no-proxy.js";
import { setting, type SettingGroup } from "./setting.js";

const proxyAddress = z.string().transform((text, context): ProxyAddress => {
  const refuse = (message: string) => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  const withScheme = text.includes("://") ? text : `http://${text}`;
  // Node 20 has no URL.parse.
  const url = URL.canParse(withScheme) ? new URL(withScheme) : null;
  if (!url || !["http:", "https:"].includes(url.protocol))
    return refuse("must be the http or https URL of a proxy");
  if (url.pathname !== "/" || /[?#]/.test(withScheme)) return refuse("must have no path, query or fragment");
  try {
    const [user, password] = [url.username, url.password].map(decodeURIComponent);
    const credentials = Buffer.from(`${user}:${password}`).toString("base64");
    return {
      url: new URL(`${url.protocol}//${url.host}`),
      authorization: user ? `Basic ${credentials}` : undefined,
    };
  } catch {
    return refuse("must have its user and password percent-encoded");
  }
});

export const egress = {
  HTTPS_PROXY: setting(proxyAddress.optional(), {
    value: "URL, with user and password if the proxy needs them",
    ifUnset: "https is direct",
    meaning:
      "The [proxy](egress.md) for https to storage, the OpenID Connect provider, the CDN and the collector of traces. Also read as `https_proxy`, which comes first.",
    neededBy: "networks whose only way out is a proxy",
  }),
  NO_PROXY: setting(z.string().prefault("").transform(parseNoProxy), {
    value: "domains, addresses and networks, separated by commas",
    meaning:
      "What [goes past](egress.md#no_proxy) `HTTPS_PROXY`. A domain is the host and all below it. Also read as `no_proxy`, which comes first.",
    neededBy: "`HTTPS_PROXY`",
  }),
  WEBHOOK_PROXY: setting(proxyAddress.optional(), {
    value: "URL, with user and password if the proxy needs them",
    ifUnset: "webhooks are sent directly",
    meaning: "The [proxy for webhooks](egress.md#webhooks).",
    neededBy: "networks whose only way out is a proxy",
  }),
} satisfies SettingGroup;
