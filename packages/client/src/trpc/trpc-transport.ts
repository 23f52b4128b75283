import type {
  BrowserCompleteResponse,
  BrowserDownloadRequestBody,
  BrowserDownloadResponse,
  BrowserDownloadsRequestBody,
  BrowserDownloadsResponse,
  BrowserFoldersQueryInput,
  BrowserFoldersResponse,
  BrowserDeleteFolderRequest,
  BrowserJob,
  BrowserJobQueryInput,
  BrowserLinksQueryInput,
  BrowserLinksResponse,
  BrowserListedFile,
  BrowserListPartsResponse,
  BrowserListQueryInput,
  BrowserListResponse,
  BrowserMoveFolderRequest,
  BrowserOpenQueryInput,
  BrowserOpenResponse,
  BrowserRequestResponse,
  BrowserRestoreVersionRequestBody,
  BrowserRevokeLinkRequestBody,
  BrowserRoutesResponse,
  BrowserShareRequestBody,
  BrowserShareResponse,
  BrowserSignPartsRequestBody,
  BrowserSignPartsResponse,
  BrowserStartedJob,
  BrowserUpdateRequestBody,
  BrowserUploadRequestBody,
  BrowserUsageResponse,
  BrowserVersionsQueryInput,
  BrowserVersionsResponse,
} from "@stowage/schemas";
import { withDeadline } from "../network/with-deadline.js";
import { browserRuntime, type Runtime } from "../runtime.js";
import type { UploadTransport } from "../transport.js";
import { UploadError } from "../upload-error.js";
import { toUploadError } from "./to-upload-error.js";

/** The calls that send each file by one PUT: what the hooks of `@trpc/react-query` can do. */
export interface StowageTrpcUploads {
  request: TrpcMutation<BrowserUploadRequestBody, BrowserRequestResponse>;
  complete: TrpcMutation<{ file_path: string }, BrowserCompleteResponse>;
  cancel: TrpcMutation<{ file_path: string }, unknown>;
  discard: TrpcMutation<{ except: string[] }, unknown>;
  delete: TrpcMutation<{ file_path: string }, unknown>;
  routes: TrpcQuery<BrowserRoutesResponse>;
}

/** A tRPC client of the router of `@stowage/server/trpc`. Only its shape is declared, so that the widget needs no tRPC. */
export interface StowageTrpcClient extends StowageTrpcUploads {
  restore: TrpcMutation<{ file_path: string }, unknown>;
  update: TrpcMutation<BrowserUpdateRequestBody, BrowserListedFile>;
  folders: TrpcQuery<BrowserFoldersResponse, BrowserFoldersQueryInput>;
  moveFolder: TrpcMutation<BrowserMoveFolderRequest, BrowserStartedJob>;
  deleteFolder: TrpcMutation<BrowserDeleteFolderRequest, BrowserStartedJob>;
  job: TrpcQuery<BrowserJob, BrowserJobQueryInput>;
  list: TrpcQuery<BrowserListResponse, BrowserListQueryInput>;
  usage: TrpcQuery<BrowserUsageResponse>;
  download: TrpcMutation<BrowserDownloadRequestBody, BrowserDownloadResponse>;
  downloads: TrpcMutation<BrowserDownloadsRequestBody, BrowserDownloadsResponse>;
  share: TrpcMutation<BrowserShareRequestBody, BrowserShareResponse>;
  links: TrpcQuery<BrowserLinksResponse, BrowserLinksQueryInput>;
  revokeLink: TrpcMutation<BrowserRevokeLinkRequestBody, unknown>;
  versions: TrpcQuery<BrowserVersionsResponse, BrowserVersionsQueryInput>;
  restoreVersion: TrpcMutation<BrowserRestoreVersionRequestBody, BrowserListedFile>;
  signParts: TrpcMutation<BrowserSignPartsRequestBody, BrowserSignPartsResponse>;
  listParts: TrpcQuery<BrowserListPartsResponse, { file_path: string; cursor?: string | undefined }>;
  open: TrpcQuery<BrowserOpenResponse, BrowserOpenQueryInput>;
}

/** The part of a tRPC mutation that the transport calls. */
export interface TrpcMutation<Input, Output> {
  mutate(input: Input, options?: { signal?: AbortSignal }): Promise<Output>;
}

/** The part of a tRPC query that the transport calls. */
export interface TrpcQuery<Output, Input = undefined> {
  query(input?: Input, options?: { signal?: AbortSignal }): Promise<Output>;
}

const TIMEOUT_MS = 30_000;
const PROBE_TIMEOUT_MS = 10_000;

/**
 * Creates a transport that calls the backend through a tRPC client, in place of HTTP to an `endpoint`.
 *
 * @param client the member of the tRPC client under which the router of `createStowageRouter` is mounted. With the calls of
 *   `StowageTrpcUploads` alone, each file is sent by one PUT, and the page can neither list, download nor share
 * @example <UploadDropzone transport={createTrpcTransport(client.stowage)} />
 */
export function createTrpcTransport(
  client: StowageTrpcClient | StowageTrpcUploads,
  runtime: Pick<Runtime, "after" | "uptimeMs"> = browserRuntime,
): UploadTransport {
  // The deadline rejects even if a tRPC link ignores the signal. Hooks get no signal at all.
  const call = <Answer>(
    signal: AbortSignal,
    callProcedure: (options: { signal: AbortSignal }) => Promise<Answer>,
    timeoutMs = TIMEOUT_MS,
  ) =>
    withDeadline(runtime, signal, async (callSignal, setDeadline) => {
      setDeadline(timeoutMs);
      try {
        return await callProcedure({ signal: callSignal });
      } catch (thrown) {
        throw toUploadError(thrown);
      }
    });
  const routes = (signal: AbortSignal, timeoutMs?: number) =>
    call(signal, (options) => client.routes.query(undefined, options), timeoutMs);
  const {
    restore,
    update,
    folders,
    moveFolder,
    deleteFolder,
    job,
    list,
    usage,
    download,
    downloads,
    share,
    links,
    revokeLink,
    versions,
    restoreVersion,
    signParts,
    listParts,
    open,
  }: Partial<StowageTrpcClient> = client;
  return {
    request: (body, signal) => call(signal, (options) => client.request.mutate(body, options)),
    complete: (body, signal) => call(signal, (options) => client.complete.mutate(body, options)),
    cancel: (body, signal) => call(signal, (options) => client.cancel.mutate(body, options)),
    discard: (body, signal) => call(signal, (options) => client.discard.mutate(body, options)),
    delete: (body, signal) => call(signal, (options) => client.delete.mutate(body, options)),
    ...(restore && { restore: (body, signal) => call(signal, (options) => restore.mutate(body, options)) }),
    ...(update && { update: (body, signal) => call(signal, (options) => update.mutate(body, options)) }),
    ...(folders && { folders: (query, signal) => call(signal, (options) => folders.query(query, options)) }),
    ...(moveFolder && {
      moveFolder: (body, signal) => call(signal, (options) => moveFolder.mutate(body, options)),
    }),
    ...(deleteFolder && {
      deleteFolder: (body, signal) => call(signal, (options) => deleteFolder.mutate(body, options)),
    }),
    ...(job && { job: (query, signal) => call(signal, (options) => job.query(query, options)) }),
    ...(list && { list: (query, signal) => call(signal, (options) => list.query(query, options)) }),
    ...(usage && { usage: (signal) => call(signal, (options) => usage.query(undefined, options)) }),
    ...(download && {
      download: (body, signal) => call(signal, (options) => download.mutate(body, options)),
    }),
    ...(downloads && {
      downloads: (body, signal) => call(signal, (options) => downloads.mutate(body, options)),
    }),
    ...(share && { share: (body, signal) => call(signal, (options) => share.mutate(body, options)) }),
    ...(links && { links: (query, signal) => call(signal, (options) => links.query(query, options)) }),
    ...(revokeLink && {
      revoke: (body, signal) => call(signal, (options) => revokeLink.mutate(body, options)),
    }),
    ...(versions && {
      versions: (query, signal) => call(signal, (options) => versions.query(query, options)),
    }),
    ...(restoreVersion && {
      restoreVersion: (body, signal) => call(signal, (options) => restoreVersion.mutate(body, options)),
    }),
    ...(signParts && {
      signParts: (body, signal) => call(signal, (options) => signParts.mutate(body, options)),
    }),
    ...(listParts && {
      listParts: (query, signal) => call(signal, (options) => listParts.query(query, options)),
    }),
    ...(open && { open: (query, signal) => call(signal, (options) => open.query(query, options)) }),
    routes: (signal) => routes(signal),
    async probe(signal) {
      try {
        await routes(signal, PROBE_TIMEOUT_MS);
      } catch (error) {
        // A refusal is an answer too: the backend can be reached.
        const isAnswer = error instanceof UploadError && error.status !== 0;
        if (!isAnswer) throw error;
      }
    },
  };
}
