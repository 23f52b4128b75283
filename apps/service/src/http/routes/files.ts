import {
  cancelRequest,
  type CancelResponse,
  completeRequest,
  deleteRequest,
  type DeleteResponse,
  downloadRequest,
  type DownloadResponse,
  type File,
  findFileQuery,
  limits,
  listFilesQuery,
  type ListFilesResponse,
  parse,
  snakeKeys,
  uploadRequest,
  type UploadResponse,
} from "@stowage/schemas";
import type { FastifyInstance } from "fastify";
import { deleteFiles, type DeleteFilesDeps } from "#files/delete/delete-files.js";
import { createDownload, type CreateDownloadDeps } from "#files/deliver/create-download.js";
import { findFile } from "#files/find-file.js";
import { listFiles } from "#files/list/list-files.js";
import { completeUpload, type CompleteUploadDeps } from "#files/settle/complete-upload.js";
import { cancelUpload, type CancelUploadDeps } from "#files/upload/cancel-upload.js";
import { requestUpload, type RequestUploadDeps } from "#files/upload/request-upload.js";
import { findProject } from "#projects/find-project.js";

export type FileRoutesDeps = RequestUploadDeps &
  CompleteUploadDeps &
  CancelUploadDeps &
  CreateDownloadDeps &
  DeleteFilesDeps;

/**
 * The calls about files. Each one parses its input before it looks for the project, so that an invalid request is refused without
 * a query. `setUpStorageScope` makes sure that an unknown key is still answered with 401.
 */
export function fileRoutes(scope: FastifyInstance, deps: FileRoutesDeps): void {
  // Looks for the project in the same SQL statement that admits the upload.
  scope.post("/upload", async (request): Promise<UploadResponse> => {
    const input = parse(uploadRequest, request.body);
    return snakeKeys(await requestUpload(deps, { apiKeyHash: request.apiKeyHash }, input));
  });

  scope.post("/complete", async (request): Promise<File> => {
    const input = parse(completeRequest, request.body);
    const project = await findProject(deps, request.apiKeyHash);
    return snakeKeys(await completeUpload(deps, project, input));
  });

  scope.post("/cancel", async (request): Promise<CancelResponse> => {
    const input = parse(cancelRequest, request.body);
    const project = await findProject(deps, request.apiKeyHash);
    return snakeKeys(await cancelUpload(deps, project, input));
  });

  scope.post("/download", async (request): Promise<DownloadResponse> => {
    const input = parse(downloadRequest, request.body);
    const project = await findProject(deps, request.apiKeyHash);
    return snakeKeys(await createDownload(deps, project, input));
  });

  // The paths of 1,000 files are larger than the usual body limit.
  scope.post("/delete", { bodyLimit: limits.deleteBodyBytes }, async (request): Promise<DeleteResponse> => {
    const input = parse(deleteRequest, request.body);
    const project = await findProject(deps, request.apiKeyHash);
    return snakeKeys(await deleteFiles(deps, project, input));
  });

  scope.get("/file", async (request): Promise<File> => {
    const query = parse(findFileQuery, request.query);
    const project = await findProject(deps, request.apiKeyHash);
    return snakeKeys(await findFile(deps, project, query));
  });

  scope.get("/files", async (request): Promise<ListFilesResponse> => {
    const query = parse(listFilesQuery, request.query);
    const project = await findProject(deps, request.apiKeyHash);
    const page = await listFiles(deps, project, query);
    return { files: page.files.map((file) => snakeKeys(file)), next_cursor: page.nextCursor };
  });
}
