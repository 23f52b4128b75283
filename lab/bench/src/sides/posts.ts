import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** Bare POSTs, each over its own connection as webhooks are. */
export interface PostsWanted {
  url: string;
  count: number;
  atOnce: number;
  body: string;
}

const TIMEOUT_MS = 10_000;

process.on("message", (wanted: PostsWanted) => {
  void postAll(wanted).then(() => process.send!({}));
});
process.on("disconnect", () => process.exit());
process.on("SIGTERM", () => process.exit());
process.send!({});

async function postAll({ url, count, atOnce, body }: PostsWanted): Promise<void> {
  let started = 0;
  const work = async () => {
    while (started++ < count) while (!(await post(url, body))) await sleep(10);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** @returns whether the answer was a success */
function post(url: string, body: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = http.request(url, { method: "POST", agent: false, timeout: TIMEOUT_MS }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode === 204));
    });
    request.on("error", () => resolve(false)).on("timeout", () => request.destroy());
    request.end(body);
  });
}
