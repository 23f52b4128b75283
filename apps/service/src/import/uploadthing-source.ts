import { createHmac } from "node:crypto";
import { StowageError } from "@stowage/schemas";
import * as z from "zod";
import { keepTrying } from "#lib/keep-trying.js";
import { nextCursor } from "#lib/next-cursor.js";
import { MINUTE_MS } from "#lib/time.js";
import { createHttpClient, encodeKey, etagOf, type HttpClient } from "./http-client.js";
import type { FoundObject, ObjectSource, SourceObject } from "./source.js";

export interface UploadThingOptions {
  /** UPLOADTHING_TOKEN: base64 of JSON with `apiKey` and `appId`. */
  token: string;
  /** @default "https://api.uploadthing.com" */
  endpoint: string | undefined;
  /** Where the files are. @default "https://<appId>.ufs.sh" */
  filesEndpoint: string | undefined;
}

const tokenContent = z.object({ apiKey: z.string().min(1), appId: z.string().regex(/^[\w-]+$/) });

/** The answer of `/v6/listFiles`: https://docs.uploadthing.com/api-reference/openapi-spec */
const listAnswer = z.object({
  hasMore: z.boolean(),
  files: z.array(
    z.object({
      key: z.string().min(1),
      customId: z.string().nullish(),
      name: z.string(),
      size: z.int().min(0),
      status: z.string(),
      /** Milliseconds since 1970. */
      uploadedAt: z.number().nullish(),
    }),
  ),
});

const PAGE_SIZE = 500;
/** For how long the URL of a file is valid. Its clock and ours may differ. */
const URL_MS = 15 * MINUTE_MS;

/**
 * The files of an app of UploadThing. A pattern is compared with the custom ID of a file, or with its key. It has no folders. UploadThing keeps
 * no metadata.
 *
 * @throws {StowageError} `invalid_request` if the token is none
 */
export function createUploadThingSource(
  options: UploadThingOptions,
  { clock, sleep }: { clock: () => Date; sleep(ms: number): Promise<unknown> },
): ObjectSource {
  const { apiKey, appId } = readToken(options.token);
  const endpoint = options.endpoint ?? "https://api.uploadthing.com";
  const files = options.filesEndpoint ?? `https://${appId}.ufs.sh`;
  const http: HttpClient = createHttpClient("UploadThing", { "x-uploadthing-api-key": apiKey }, {});

  /** https://docs.uploadthing.com/working-with-files#accessing-private-files */
  function sign({ key }: SourceObject): string {
    const url = new URL(`${files}/f/${encodeKey(key).replaceAll("/", "%2F")}`);
    url.searchParams.set("expires", String(clock().getTime() + URL_MS));
    const signature = createHmac("sha256", apiKey).update(url.href).digest("hex");
    url.searchParams.set("signature", `hmac-sha256=${signature}`);
    return url.href;
  }

  return {
    id: `uploadthing:${appId}`,
    async *list() {
      for (let offset: number | null = 0; offset !== null;) {
        const body = { limit: PAGE_SIZE, offset };
        const page = listAnswer.safeParse(
          await keepTrying(sleep, () => http.askJson(`${endpoint}/v6/listFiles`, { method: "POST", body })),
        );
        if (!page.success)
          throw new StowageError("unavailable", { detail: "UploadThing answers another list than expected" });
        yield page.data.files.filter(({ status }) => status === "Uploaded").map(toObject);
        offset = nextCursor<number>(page.data.hasMore, offset + page.data.files.length, offset);
      }
    },

    async describe(object) {
      const headers = await http.readHeaders(sign(object));
      return headers && toFound(object, headers);
    },
    read: (object, found, range) => http.readBytes(sign(object), found, range),
    copyInside: async () => "refused",
    close: () => undefined,
  };
}

/** @throws {StowageError} `invalid_request`. The message does not have the token */
function readToken(token: string): z.output<typeof tokenContent> {
  try {
    return tokenContent.parse(JSON.parse(Buffer.from(token, "base64").toString()));
  } catch {
    throw new StowageError("invalid_request", {
      detail: "UPLOADTHING_TOKEN must be the token that the dashboard of UploadThing shows",
    });
  }
}

type ListedFile = z.output<typeof listAnswer>["files"][number];

function toObject({ key, customId, name, size, uploadedAt }: ListedFile): SourceObject {
  const createdAt = typeof uploadedAt === "number" ? new Date(uploadedAt) : undefined;
  return { key, name, text: customId ?? key, sizeBytes: size, etag: "", createdAt };
}

function toFound({ sizeBytes, createdAt }: SourceObject, headers: Headers): FoundObject {
  return {
    sizeBytes: Number(headers.get("content-length") ?? sizeBytes),
    etag: etagOf(headers),
    headers: { ContentType: headers.get("content-type") ?? undefined },
    metadata: {},
    createdAt,
  };
}
