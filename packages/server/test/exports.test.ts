import { expect, test } from "vitest";

test.each<[string, () => Promise<object>, string[]]>([
  ["the main entry", () => import("../src/index.js"), ["StowageError", "createStowage", "routeOf"]],
  [
    "/client",
    () => import("../src/client/index.js"),
    ["IncompleteUploadError", "StowageError", "createStowageClient"],
  ],
  ["/node", () => import("../src/adapters/node.js"), ["nodeRequest", "toNodeHandler", "toWebRequest"]],
  [
    "/express",
    () => import("../src/adapters/express.js"),
    ["nodeRequest", "toExpressHandler", "toWebRequest"],
  ],
  [
    "/fastify",
    () => import("../src/adapters/fastify.js"),
    ["fastifyRequest", "nodeRequest", "toFastifyPlugin", "toWebRequest"],
  ],
  ["/hono", () => import("../src/adapters/hono.js"), ["honoContext", "toHonoHandler"]],
  ["/next", () => import("../src/adapters/next.js"), ["toNextHandlers"]],
  ["/trpc", () => import("../src/adapters/trpc.js"), ["createStowageRouter", "stowageErrorFormatter"]],
  [
    "/webhooks",
    () => import("../src/webhooks/index.js"),
    ["WebhookVerificationError", "verifyWebhook", "webhookHandler"],
  ],
])("%s exports only its public names", async (_entry, load, names) => {
  expect(Object.keys(await load()).toSorted()).toEqual(names.toSorted());
});
