import type { PublicBucket } from "#object-store/object-store.js";
import {
  describe,
  isSuccess,
  NotChecked,
  type Probe,
  type ProbeContext,
  type ProbeResponse,
  SAMPLE_TYPE,
} from "../probe.js";
import { judgeRead, mayRead } from "./cors.js";
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
        const advice = `Run: stowage cors apply ${origins.map((origin) => `--origin ${origin}`).join(" ")}`;
        const atBucket = await askAsPages(context, signed, origins);
        if (atBucket.refused.length > 0)
          return {
            verdict: "warn",
            found: `the public bucket lets no page of ${atBucket.refused.join(", ")} read files with fetch`,
            whatToDo: advice,
          };
        if (atBucket.problem) return { verdict: "warn", found: atBucket.problem, whatToDo: advice };
        const url = published.urlOf(path);
        // A CDN must not keep this answer, which has no CORS headers, for a page that asks next.
        await context.send(url);
        const atCdn = await askAsPages(context, url, origins);
        const addHeaders = (headers: string) =>
          `Let the CDN at ${new URL(url).origin} ${headers} to its answers.`;
        if (atCdn.refused.length > 0)
          return {
            verdict: "warn",
            found: `the bucket allows it, but PUBLIC_BASE_URL lets no page of ${atCdn.refused.join(", ")} read files with fetch`,
            whatToDo: addHeaders('add "Access-Control-Allow-Origin: *"'),
          };
        if (atCdn.problem)
          return {
            verdict: "warn",
            found: `the bucket allows it, but at PUBLIC_BASE_URL ${atCdn.problem}`,
            whatToDo: addHeaders("pass the headers Access-Control-Expose-Headers and Vary of the bucket on"),
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
async function askAsPages(context: ProbeContext, url: string, origins: string[]) {
  const answers: [origin: string, ProbeResponse][] = [];
  for (const origin of origins) {
    const answer = await context.send(url, { headers: { Origin: origin } });
    if (!isSuccess(answer))
      throw new NotChecked(`${new URL(url).origin} answers ${describe(answer)} to a page`);
    answers.push([origin, answer]);
  }
  return {
    refused: answers.flatMap(([origin, answer]) => (mayRead(origin, answer) ? [] : [origin])),
    problem: answers.map((answer) => judgeRead(...answer)).find((found) => found !== null) ?? null,
  };
}
