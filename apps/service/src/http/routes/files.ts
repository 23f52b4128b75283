import {
  cancelRequest,
  type CancelResponse,
  completeRequest,
  deleteRequest,
  type DeleteResponse,
  downloadRequest,
  type DownloadResponse,
  downloadsRequest,
  type DownloadsResponse,
  type File,
  findFileQuery,
  holdRequest,
  limits,
  listFilesQuery,
  type ListFilesResponse,
  parse,
  restoreRequest,
  type RestoreResponse,
  scanResultRequest,
  snakeKeys,
  uploadHeaders,
  uploadRequest,
  type UploadResponse,
  visibilityRequest,
} from "@stowage/schemas";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { deleteFiles, type DeleteFilesDeps } from "#files/delete/delete-files.js";
import { createDownloads } from "#deliver/create-downloads.js";
import { createDownload, type CreateDownloadDeps } from "#deliver/create-download.js";
import { restoreFiles } from "#files/lifecycle/restore-files.js";
import { holdFile } from "#files/lifecycle/set-hold.js";
import { listFiles } from "#files/list/list-files.js";
import { toRecord } from "#files/record/find-file.js";
import { findArrivedFile } from "#files/settle/find-arrived-file.js";
import { completeUpload, type CompleteUploadDeps } from "#files/settle/complete-upload.js";
import { cancelUpload, type CancelUploadDeps } from "#files/upload/cancel-upload.js";
import { requestUpload, type RequestUploadDeps } from "#files/upload/request-upload.js";
import { setVisibility } from "#visibility/set-visibility.js";
import { type Database, inLane, type Lane } from "#db/client.js";
import type { Project } from "#projects/find-project.js";
import { reportScan } from "#scans/report-scan.js";
import type { KeyLookup } from "#projects/key-lookup.js";

export type FileRoutesDeps = RequestUploadDeps &
  Omit<CompleteUploadDeps & CancelUploadDeps & CreateDownloadDeps & DeleteFilesDeps, "db" | "settling"> & {
    db: Database;
    keys: Pick<KeyLookup, "findProject">;
  };

/**
 * The calls about files. Each one parses its input before it looks for the project, so that an invalid request is refused without
 * a query. `setUpStorageScope` makes sure that an unknown key is still answered with 401.
 */
export function fileRoutes(scope: FastifyInstance, deps: FileRoutesDeps): void {
  const findProject = (request: FastifyRequest) => deps.keys.findProject(request);
  const forProject = (lane: Lane, { id }: Project) => inLane(deps, lane, id);
  const forOneFile = (project: Project) => ({
    ...forProject("read", project),
    settling: forProject("upload", project),
  });

  // Checks the key in the same SQL statement that admits the upload.
  scope.post("/upload", async (request): Promise<UploadResponse> => {
    const input = parse(uploadRequest, request.body);
    const { apiKeyHash, projectId } = request;
    const idempotencyKey = parse(uploadHeaders, request.headers)["idempotency-key"];
    return snakeKeys(await requestUpload(deps, { apiKeyHash, projectId }, input, idempotencyKey));
  });

  scope.post("/complete", async (request): Promise<File> => {
    const input = parse(completeRequest, request.body);
    const project = await findProject(request);
    return snakeKeys(await completeUpload(forProject("upload", project), project, input));
  });

  scope.post("/cancel", async (request): Promise<CancelResponse> => {
    const input = parse(cancelRequest, request.body);
    const project = await findProject(request);
    return snakeKeys(await cancelUpload(forProject("upload", project), project, input));
  });

  scope.post("/download", async (request): Promise<DownloadResponse> => {
    const input = parse(downloadRequest, request.body);
    const project = await findProject(request);
    return snakeKeys(await createDownload(forOneFile(project), project, input));
  });

  scope.post(
    "/downloads",
    { bodyLimit: limits.downloadsBodyBytes },
    async (request): Promise<DownloadsResponse> => {
      const input = parse(downloadsRequest, request.body);
      const project = await findProject(request);
      const { downloads, notFound, refused } = await createDownloads(forOneFile(project), project, input);
      return {
        downloads: downloads.map((download) => snakeKeys(download)),
        not_found: notFound,
        ...(refused.length > 0 && { refused: refused.map((file) => snakeKeys(file)) }),
      };
    },
  );

  // The paths of 1,000 files are larger than the usual body limit.
  scope.post("/delete", { bodyLimit: limits.deleteBodyBytes }, async (request): Promise<DeleteResponse> => {
    const input = parse(deleteRequest, request.body);
    const project = await findProject(request);
    return snakeKeys(await deleteFiles(forProject("work", project), project, input));
  });

  scope.post("/scan-result", async (request): Promise<File> => {
    const input = parse(scanResultRequest, request.body);
    const project = await findProject(request);
    return snakeKeys(await reportScan(forOneFile(project), project, input));
  });

  scope.post("/restore", { bodyLimit: limits.deleteBodyBytes }, async (request): Promise<RestoreResponse> => {
    const input = parse(restoreRequest, request.body);
    const project = await findProject(request);
    return snakeKeys(await restoreFiles(forProject("work", project), project, input));
  });

  scope.post("/hold", async (request): Promise<File> => {
    const input = parse(holdRequest, request.body);
    const project = await findProject(request);
    return snakeKeys(await holdFile(forOneFile(project), project, input));
  });

  scope.post("/visibility", async (request): Promise<File> => {
    const input = parse(visibilityRequest, request.body);
    const project = await findProject(request);
    return snakeKeys(await setVisibility(forOneFile(project), project, input));
  });

  scope.get("/file", async (request): Promise<File> => {
    const query = parse(findFileQuery, request.query);
    const project = await findProject(request);
    const file = await findArrivedFile(forOneFile(project), project, query, {
      ifStorageIsDown: "return recorded",
    });
    return snakeKeys(toRecord(file, deps.store));
  });

  scope.get("/files", async (request): Promise<ListFilesResponse> => {
    const query = parse(listFilesQuery, request.query);
    const project = await findProject(request);
    const page = await listFiles(forProject("list", project), project, query);
    return { files: page.files.map((file) => snakeKeys(file)), next_cursor: page.nextCursor };
  });
}
