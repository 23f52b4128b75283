import { presignSample, type Probe } from "../probe.js";

/** The preflight that a browser sends before a PUT from a page of this origin. */
export function cors(origin: string): Probe {
  return {
    name: "CORS",
    async run(context) {
      const answer = await context.send(await presignSample(context, context.newPath()), {
        method: "OPTIONS",
        headers: {
          Origin: origin,
          "Access-Control-Request-Method": "PUT",
          "Access-Control-Request-Headers": "content-md5,content-type",
        },
      });
      const allowed = (header: string) => listOf(answer.headers.get(`access-control-allow-${header}`));
      const missing = [
        ...(["*", origin].some((value) => allowed("origin").includes(value)) ? [] : ["the origin"]),
        ...(allowed("methods").some((method) => method === "*" || method === "put") ? [] : ["PUT"]),
        ...["content-type", "content-md5"].filter(
          (header) => !allowed("headers").some((value) => value === "*" || value === header),
        ),
      ];
      if (missing.length === 0)
        return { verdict: "ok", found: `pages of ${origin} may upload`, whatToDo: null };
      return {
        verdict: "fail",
        found: `${origin}: the preflight (HTTP ${answer.status}) does not allow ${missing.join(", ")}`,
        whatToDo: `Run: stowage cors apply --origin ${origin}`,
      };
    },
  };
}

/** When nobody said where pages come from. */
export const noOrigin: Probe = {
  name: "CORS",
  run: async () => ({
    verdict: "info",
    found: "not tried",
    whatToDo: "Name the origins that your pages come from: --origin https://app.example.com",
  }),
};

function listOf(header: string | null): string[] {
  return (header ?? "").split(",").map((value) => value.trim().toLowerCase());
}
