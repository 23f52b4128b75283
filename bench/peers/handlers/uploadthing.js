// UploadThing's route handler as its documentation sets it up, its ingest service answered by the stub: for each upload it
// signs a URL here and tells the service of it. What it logs of each upload goes where its process prints.
import { createRouteHandler, createUploadthing } from "uploadthing/server";

const upload = createUploadthing();
const token = { apiKey: "sk_live_0123456789abcdef", appId: "bench", regions: ["sea1"] };

export const handler = createRouteHandler({
  router: {
    image: upload({ image: { maxFileSize: "4MB" } })
      .middleware(({ req }) => ({ userId: req.headers.get("X-User") }))
      .onUploadComplete(() => undefined),
  },
  config: {
    token: Buffer.from(JSON.stringify(token)).toString("base64"),
    ingestUrl: process.env.STUB_URL,
  },
});
