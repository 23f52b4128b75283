import { createHash } from "node:crypto";
import { API_KEY, aService, anUploadAnswer, says } from "@stowage/service-fake";
import { createStowageClient, type StowageClient, type StowageClientOptions } from "../src/client/index.js";
import { aStorage, type ReceivedPut } from "./fake-storage.js";

type FakeService = Awaited<ReturnType<typeof aService>>;
type FakeStorage = Awaited<ReturnType<typeof aStorage>>;
type Answer = NonNullable<Parameters<FakeService["next"]>[0]>;

/** A service, a storage, and clients of both that retry almost immediately. */
export interface ClientSetup extends AsyncDisposable {
  service: FakeService;
  storage: FakeStorage;
  createClient(options?: Partial<StowageClientOptions>): StowageClient;
  /** The service's answer to a request for an upload: a URL of `storage` with a new path each time. */
  ticket: Answer;
  /** The last segment of each call that the service received, such as "upload". */
  calledActions(): (string | undefined)[];
}

export async function aClientSetup(): Promise<ClientSetup> {
  const storage = await aStorage((put) => storePart(put));
  const service = await aService({ storageUrl: storage.url });
  const storePart = ({ path, bytes }: ReceivedPut) => {
    const { pathname, searchParams } = new URL(path, storage.url);
    const etag = createHash("md5").update(bytes).digest("hex");
    const number = Number(searchParams.get("partNumber"));
    service.storePart(pathname.slice(1), { number, size: bytes.length, etag: `"${etag}"` });
  };
  const retries = { firstDelayMs: 1, longestDelayMs: 2_000 };
  let tickets = 0;
  return {
    service,
    storage,
    createClient: (options = {}) =>
      createStowageClient({ apiKey: API_KEY, baseUrl: service.url, timeoutMs: 60_000, retries, ...options }),
    ticket(call, response) {
      const path = `projects/p/tenants/t/${++tickets}_file`;
      const answer = {
        ...anUploadAnswer(call.body),
        file_path: path,
        presigned_url: `${storage.url}/${path}`,
      };
      says(200, answer)(call, response);
    },
    calledActions: () => service.calls.map((call) => call.path.split("/")[3]),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await storage[Symbol.asyncDispose]();
    },
  };
}

/** The service's answer when it is out of reach for a moment. */
export const unavailable: Answer = says(
  503,
  { detail: "Service temporarily unavailable" },
  { "Retry-After": "0" },
);

/** The service's answer to a deletion. */
export const deleted: Answer = says(200, { deleted: ["x"], not_found: [] });
