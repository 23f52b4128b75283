import { presignSample, type Probe, type ProbeContext, type ProbeResponse } from "../probe.js";

/**
 * Sends the preflight requests that a browser sends before a PUT from a page of this origin. `cache_control` has one of its own, because
 * storage answers a preflight as a whole, and uploads without it work.
 */
export function cors(origin: string): Probe {
  return {
    name: "CORS",
    async run(context) {
      const whatToDo = `Run: stowage cors apply --origin ${origin}`;
      const required = ["content-type", "content-md5"];
      const response = await sendPreflight(context, origin, required);
      const missing = missingPermissions(origin, required, response.headers);
      if (missing.length > 0) {
        const found = `the preflight for ${origin} (HTTP ${response.status}) does not allow ${missing.join(", ")}`;
        return { verdict: "fail", found, whatToDo };
      }
      const all = [...required, "cache-control"];
      const { headers } = await sendPreflight(context, origin, all);
      if (missingPermissions(origin, all, headers).length > 0) {
        const found = `pages of ${origin} may upload, but no file with cache_control: the header cache-control is not allowed`;
        return { verdict: "warn", found, whatToDo };
      }
      return { verdict: "ok", found: `pages of ${origin} may upload`, whatToDo: null };
    },
  };
}

async function sendPreflight(
  context: ProbeContext,
  origin: string,
  headers: string[],
): Promise<ProbeResponse> {
  return context.send(await presignSample(context, context.newPath()), {
    method: "OPTIONS",
    headers: {
      Origin: origin,
      "Access-Control-Request-Method": "PUT",
      // Fetch sends them in this order.
      "Access-Control-Request-Headers": headers.toSorted().join(","),
    },
  });
}

function missingPermissions(origin: string, required: string[], headers: Headers): string[] {
  const allows = (header: string, value: string) => {
    const allowed = toList(headers.get(`access-control-allow-${header}`));
    return allowed.includes("*") || allowed.includes(value);
  };
  return [
    ...(allows("origin", origin) ? [] : ["the origin"]),
    ...(allows("methods", "put") ? [] : ["PUT"]),
    ...required.filter((header) => !allows("headers", header)),
  ];
}

function toList(header: string | null): string[] {
  return (header ?? "").split(",").map((value) => value.trim().toLowerCase());
}

/** Replaces {@link cors} if the operator gives no origin. */
export const noOrigin: Probe = {
  name: "CORS",
  run: async () => ({
    verdict: "info",
    found: "not checked, because no origin was given",
    whatToDo: "Name the origins of the pages that upload: --origin https://app.example.com",
  }),
};
