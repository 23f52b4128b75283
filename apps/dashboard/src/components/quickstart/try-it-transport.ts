import type { UploadTransport } from "@stowage/react/core";
import { createTrpcTransport } from "@stowage/react/trpc";
import type { trpc } from "../../trpc.js";

type Client = ReturnType<typeof trpc.useUtils>["client"];

/** The widget's calls for a project of the signed-in operator. What was tried is deleted where all files are: in their list. */
export function tryItTransport({ tryIt, session }: Client, projectRef: string): UploadTransport {
  const { request, complete, probe } = createTrpcTransport({
    request: { mutate: (body, options) => tryIt.request.mutate({ ...body, projectRef }, options) },
    complete: { mutate: (body, options) => tryIt.complete.mutate({ ...body, projectRef }, options) },
    delete: { mutate: () => Promise.reject(new Error("the try-it dropzone deletes nothing")) },
    // Asked only whether the service can be reached.
    routes: { query: (_, options) => session.me.query(undefined, options).then(() => ({ routes: {} })) },
  });
  return { request, complete, ...(probe ? { probe } : {}) };
}
