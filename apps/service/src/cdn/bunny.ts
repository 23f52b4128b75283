import { type Cdn, purgeFailed } from "./cdn.js";

export interface BunnyOptions {
  /** The account's API key. */
  apiKey: string;
  timeoutMs: number;
  /** @default Bunny's own */
  endpoint?: string;
}

/** Purges with Bunny's API: https://docs.bunny.net/api-reference/core/purge/purge-url */
export function createBunnyCdn({ apiKey, timeoutMs, endpoint = "https://api.bunny.net" }: BunnyOptions): Cdn {
  return {
    async purge(url) {
      const query = new URLSearchParams({ url, async: "false" });
      let response: Response;
      try {
        response = await fetch(`${endpoint}/purge?${query}`, {
          method: "POST",
          headers: { AccessKey: apiKey },
          // A redirect would send the key to another host.
          redirect: "error",
          signal: AbortSignal.timeout(timeoutMs),
        });
        await response.arrayBuffer();
      } catch (error) {
        throw purgeFailed(error instanceof Error ? error.name : "no answer");
      }
      if (!response.ok) throw purgeFailed(`HTTP ${response.status}`);
    },
    close: () => undefined,
  };
}
