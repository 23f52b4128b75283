import { StowageError } from "@stowage/schemas";
import * as z from "zod";
import { keepTrying } from "#lib/keep-trying.js";
import { nextCursor } from "#lib/next-cursor.js";
import { createHttpClient, encodeKey } from "./http-client.js";
import type { FoundObject, ObjectSource, SourceObject } from "./source.js";

export interface SupabaseOptions {
  /** Of the project, such as `https://abc.supabase.co`. */
  endpoint: string;
  /** The secret key of the project, or its older service role key. It reads every object. */
  key: string;
  bucket: string;
  prefix: string;
}

/** The answer of `object/list-v2`. An object whose upload has not ended has no metadata. */
const listAnswer = z.object({
  hasNext: z.boolean(),
  nextCursor: z.string().nullish(),
  objects: z.array(
    z.object({
      key: z.string().nullish(),
      name: z.string(),
      metadata: z.object({ size: z.int().min(0), eTag: z.string().nullish() }).nullish(),
    }),
  ),
});

/** The answer of `object/info`. */
const infoAnswer = z.object({
  size: z.int().min(0),
  etag: z.string().nullish(),
  content_type: z.string().nullish(),
  cache_control: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  created_at: z.string().nullish(),
});

const PAGE_SIZE = 1000;

/** A bucket of Supabase Storage. A pattern is compared with the name of an object. */
export function createSupabaseSource(
  options: SupabaseOptions,
  { sleep }: { sleep(ms: number): Promise<unknown> },
): ObjectSource {
  const { endpoint, key, bucket, prefix } = options;
  const api = `${endpoint}/storage/v1/object`;
  const secrets = { apikey: key, Authorization: `Bearer ${key}` };
  const http = createHttpClient("Supabase", secrets, secrets);
  const pathOf = (object: SourceObject) => encodeKey(`${bucket}/${object.key}`);

  async function ask<Schema extends z.ZodType>(
    schema: Schema,
    ...request: Parameters<typeof http.askJson>
  ): Promise<z.output<Schema> | null> {
    const answer = await http.askJson(...request);
    if (answer === null) return null;
    const parsed = schema.safeParse(answer);
    if (parsed.success) return parsed.data;
    throw new StowageError("unavailable", { detail: "Supabase answers in another form than expected" });
  }

  return {
    id: `${api}/${bucket}`,
    async *list() {
      let cursor: string | undefined;
      do {
        const body = { prefix, limit: PAGE_SIZE, cursor, with_delimiter: false };
        const page = await keepTrying(sleep, () =>
          ask(listAnswer, `${api}/list-v2/${encodeURIComponent(bucket)}`, { method: "POST", body }),
        );
        if (!page)
          throw new StowageError("invalid_request", { detail: "Supabase has no bucket of this name" });
        yield page.objects.flatMap(toObject);
        cursor = nextCursor<string>(page.hasNext, page.nextCursor, cursor) ?? undefined;
      } while (cursor !== undefined);
    },

    async describe(object) {
      const info = await ask(infoAnswer, `${api}/info/${pathOf(object)}`);
      return info && toFound(info);
    },
    read: (object, found, range) => http.readBytes(`${api}/authenticated/${pathOf(object)}`, found, range),
    copyInside: async () => "refused",
    close: () => undefined,
  };
}

function toObject({ key, name, metadata }: z.output<typeof listAnswer>["objects"][number]): SourceObject[] {
  if (!metadata) return [];
  const path = key ?? name;
  const { size: sizeBytes, eTag } = metadata;
  return [
    {
      key: path,
      name: path.slice(path.lastIndexOf("/") + 1),
      text: path,
      sizeBytes,
      etag: withoutQuotes(eTag),
    },
  ];
}

function toFound(info: z.output<typeof infoAnswer>): FoundObject {
  const { size, etag, content_type, cache_control, metadata, created_at } = info;
  return {
    sizeBytes: size,
    etag: withoutQuotes(etag),
    headers: { ContentType: content_type ?? undefined, CacheControl: cache_control ?? undefined },
    metadata: Object.fromEntries(
      Object.entries(metadata ?? {}).map(([name, value]) => [
        name,
        typeof value === "string" ? value : JSON.stringify(value),
      ]),
    ),
    createdAt: created_at ? new Date(created_at) : undefined,
  };
}

const withoutQuotes = (etag: string | null | undefined) => (etag ?? "").replaceAll('"', "");
