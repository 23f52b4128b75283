import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createSupabaseSource } from "./supabase-source.js";
import { createUploadThingSource } from "./uploadthing-source.js";

const token = Buffer.from(JSON.stringify({ apiKey: "sk_live_x", appId: "app", regions: ["fra1"] })).toString(
  "base64",
);
const deps = { clock: () => new Date(), sleep: async () => undefined };

/** A store whose every page is this one. */
async function aStuckStore(page: object): Promise<string> {
  const server = createServer((_request, response) => void response.end(JSON.stringify(page)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const supabase = async (page: object) =>
  createSupabaseSource({ endpoint: await aStuckStore(page), key: "key", bucket: "b", prefix: "" }, deps);
const uploadThing = async (page: object) =>
  createUploadThingSource({ token, endpoint: await aStuckStore(page), filesEndpoint: undefined }, deps);

test.each([
  ["Supabase, without a place", () => supabase({ hasNext: true, objects: [] })],
  ["Supabase, the same place again", () => supabase({ hasNext: true, nextCursor: "a", objects: [] })],
  ["UploadThing, without files", () => uploadThing({ hasMore: true, files: [] })],
])("a list that never ends stops an import with a sentence: %s", async (_what, make) => {
  const source = await make();
  const read = async () => {
    for await (const objects of source.list()) expect(objects).toEqual([]);
  };
  await expect(read()).rejects.toMatchObject({
    code: "unavailable",
    message: "A list is cut and does not say where it goes on",
  });
});
