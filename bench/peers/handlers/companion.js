// Companion with its S3 endpoint alone, on the middleware that its documentation asks for. It signs here and asks nobody:
// it keeps no record of files, knows no quota, and does not ask who calls.
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
