// UploadThing's route handler as documented. The stub answers as its ingest service: for each upload it signs a URL locally and
// informs the service. Its log goes to the process's output.
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
