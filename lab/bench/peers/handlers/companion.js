// Companion with its S3 endpoint and the middleware that its documentation requires. It signs locally, keeps no record of files, and
// has no quotas and no authentication.
import { tmpdir } from "node:os";
import { app as companion } from "@uppy/companion";
import bodyParser from "body-parser";
import express from "express";
import session from "express-session";

const app = express();
app.use(bodyParser.json());
app.use(session({ secret: "bench", resave: false, saveUninitialized: false }));
app.use(
  companion({
    secret: "bench",
    filePath: tmpdir(),
    server: { host: "127.0.0.1" },
    uploadUrls: ["http://127.0.0.1:9"],
    corsOrigins: true,
    s3: {
      region: "us-east-1",
      endpoint: "http://127.0.0.1:9",
      forcePathStyle: true,
      bucket: "bench",
      key: "nobody",
      secret: "nothing",
    },
  }).app,
);

export const listener = app;
