// better-upload's handler. It signs locally, keeps no record of files and has no quotas.
import { S3Client } from "@aws-sdk/client-s3";
import { handleRequest, route } from "better-upload/server";

const client = new S3Client({
  region: "us-east-1",
  endpoint: "http://127.0.0.1:9",
  forcePathStyle: true,
  credentials: { accessKeyId: "nobody", secretAccessKey: "nothing" },
});
const image = route({
  fileTypes: ["image/*"],
  maxFileSize: 4 * 1024 ** 2,
  onBeforeUpload: ({ req }) => ({ metadata: { userId: req.headers.get("X-User") } }),
});

export const handler = (request) =>
  handleRequest(request, { client, bucketName: "bench", routes: { image } });
