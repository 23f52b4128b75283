import { presignSample, type Probe } from "../probe.js";

/** Sends the preflight request that a browser sends before a PUT from a page of this origin. */
export function cors(origin: string): Probe {
  return {
    name: "CORS",
    async run(context) {
      const response = await context.send(await presignSample(context, context.newPath()), {
        method: "OPTIONS",
        headers: {
          Origin: origin,
          "Access-Control-Request-Method": "PUT",
          "Access-Control-Request-Headers": "content-md5,content-type",
        },
      });
      const missing = missingPermissions(origin, response.headers);
      if (missing.length === 0)
        return { verdict: "ok", found: `pages of ${origin} may upload`, whatToDo: null };
      return {
        verdict: "fail",
        found: `the preflight for ${origin} (HTTP ${response.status}) does not allow ${missing.join(", ")}`,
        whatToDo: `Run: stowage cors apply --origin ${origin}`,
      };
    },
  };
}

function missingPermissions(origin: string, headers: Headers): string[] {
  const allows = (header: string, value: string) => {
    const allowed = toList(headers.get(`access-control-allow-${header}`));
    return allowed.includes("*") || allowed.includes(value);
  };
  return [
    ...(allows("origin", origin) ? [] : ["the origin"]),
    ...(allows("methods", "put") ? [] : ["PUT"]),
    ...["content-type", "content-md5"].filter((header) => !allows("headers", header)),
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
