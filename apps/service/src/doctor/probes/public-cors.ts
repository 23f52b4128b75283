import type { PublicBucket } from "#object-store/object-store.js";
import { type Probe, type ProbeContext, SAMPLE_TYPE } from "../probe.js";
import { withPublicSample } from "./public-files.js";

/**
 * Whether pages of these origins can read public files with `fetch` or into a canvas: at PUBLIC_BASE_URL, and at the bucket's own address,
 * to which signed URLs of public files point. An image or a link needs no CORS, so a finding is a warning.
 */
export function publicCors(published: PublicBucket, origins: string[]): Probe {
  return {
    name: "CORS of public files",
    run: (context) =>
      withPublicSample(context, published, async (path) => {
        const signed = await published.presignGet({
          path,
          contentType: SAMPLE_TYPE,
          contentDisposition: "inline",
          signedAt: context.clock(),
          expiresInSeconds: 60,
        });
        const atBucket = await refusedOrigins(context, signed, origins);
        if (atBucket.length > 0)
          return {
            verdict: "warn",
            found: `the public bucket lets no page of ${atBucket.join(", ")} read files with fetch`,
            whatToDo: `Run: stowage cors apply ${origins.map((origin) => `--origin ${origin}`).join(" ")}`,
          };
        const url = published.urlOf(path);
        // A CDN must not keep this answer, which has no CORS headers, for a page that asks next.
        await context.send(url);
        const atCdn = await refusedOrigins(context, url, origins);
        if (atCdn.length > 0)
          return {
            verdict: "warn",
            found: `the bucket allows it, but PUBLIC_BASE_URL lets no page of ${atCdn.join(", ")} read files with fetch`,
            whatToDo: `Let the CDN at ${new URL(url).origin} add "Access-Control-Allow-Origin: *" to its answers.`,
          };
        return {
          verdict: "ok",
          found: `pages of ${origins.join(", ")} may read public files`,
          whatToDo: null,
        };
      }),
  };
}

/** Each origin asks one after another, as different pages ask a CDN for the same file. */
async function refusedOrigins(context: ProbeContext, url: string, origins: string[]): Promise<string[]> {
  const refused: string[] = [];
  for (const origin of origins) {
    const { headers } = await context.send(url, { headers: { Origin: origin } });
    const allowed = headers.get("access-control-allow-origin");
    if (allowed !== "*" && allowed !== origin) refused.push(origin);
  }
  return refused;
}
