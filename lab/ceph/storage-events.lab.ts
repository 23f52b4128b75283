import { randomBytes } from "node:crypto";
import {
  type Event,
  PutBucketNotificationConfigurationCommand,
  S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import { HttpRequest } from "@smithy/protocol-http";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { aProject } from "@stowage/service/test/fixtures/a-project.js";
import { aService, type RunningService } from "@stowage/service/test/fixtures/a-service.js";
import { anOpenUpload, anUpload, putBytes } from "@stowage/service/test/fixtures/call.js";
import { queryDatabase } from "@stowage/service/test/fixtures/direct-access.js";
import { completeInStorage, sendParts } from "@stowage/service/test/fixtures/send-parts.js";

const SECRET = "the-secret-of-storage";

let service: RunningService;
beforeAll(async () => {
  service = await aService({ STORAGE_EVENTS_SECRET: SECRET });
  await sendEventsTo(`${service.url}/internal/storage-events?secret=${SECRET}`);
});
afterAll(() => service.close());

test.each(["a.txt", "naïve café 日本語 1+1=100%.txt"])(
  "an event of Ceph makes the service record an upload without a completion or a sweep: %s",
  async (filename) => {
    const { apiKey } = await aProject();
    const upload = await anUpload(service.url, apiKey, { tenant_id: "t", filename });
    expect(await putBytes(upload, Buffer.from("hello"))).toBe(200);
    await expect
      .poll(() => rowsOf(upload.file_path), { timeout: 10_000 })
      .toEqual([{ status: "stored", size: 5 }]);
    expect(service.log()).not.toContain(SECRET);
  },
);

test("an event of Ceph makes the service record an upload by parts whose completion got no answer", async () => {
  const { apiKey } = await aProject();
  const { file_path } = await anOpenUpload(service.url, apiKey, {
    tenant_id: "t",
    filename: "a.bin",
    size: 3,
  });
  await sendParts(service.url, apiKey, file_path, { numbers: [1] });
  await completeInStorage(file_path, new Uint8Array(3).fill(1));
  await expect.poll(() => rowsOf(file_path), { timeout: 10_000 }).toEqual([{ status: "stored", size: 3 }]);
});

function rowsOf(path: string): Promise<unknown[]> {
  return queryDatabase("select status, size::int as size from files where path = $1", [path]);
}

/** Creates a topic that pushes to the URL, and sends the bucket's events to it: https://docs.ceph.com/en/latest/radosgw/notifications/ */
async function sendEventsTo(url: string): Promise<void> {
  const servers = inject("servers");
  const config: S3ClientConfig = {
    endpoint: servers.S3_ENDPOINT,
    region: servers.S3_REGION,
    forcePathStyle: true,
    credentials: { accessKeyId: servers.S3_ACCESS_KEY_ID, secretAccessKey: servers.S3_SECRET_ACCESS_KEY },
  };
  const client = new S3Client(config);
  const topic = `events-${randomBytes(4).toString("hex")}`;
  const arn = await createTopic(client, servers.S3_ENDPOINT, topic, url);
  await client.send(
    new PutBucketNotificationConfigurationCommand({
      Bucket: servers.S3_BUCKET,
      NotificationConfiguration: {
        TopicConfigurations: [
          { Id: "stowage", TopicArn: arn, Events: ["s3:ObjectCreated:*", "s3:ObjectRemoved:*"] as Event[] },
        ],
      },
    }),
  );
  client.destroy();
}

/** Calls CreateTopic of the SNS API, which Ceph's gateway implements. @returns the topic's ARN */
async function createTopic(
  client: S3Client,
  endpoint: string,
  name: string,
  pushTo: string,
): Promise<string> {
  const { hostname, port, host } = new URL(endpoint);
  const body = new URLSearchParams({
    Action: "CreateTopic",
    Name: name,
    "Attributes.entry.1.key": "push-endpoint",
    "Attributes.entry.1.value": pushTo,
  }).toString();
  const signer = await client.config.signer();
  const { headers } = await signer.sign(
    new HttpRequest({
      method: "POST",
      protocol: "http:",
      hostname,
      port: Number(port),
      path: "/",
      headers: { host, "content-type": "application/x-www-form-urlencoded" },
      body,
    }),
    {},
  );
  const response = await fetch(endpoint, { method: "POST", headers, body });
  const text = await response.text();
  const arn = /<TopicArn>([^<]+)</.exec(text)?.[1];
  if (!arn) throw new Error(`the topic was not made: ${response.status} ${text}`);
  return arn;
}
