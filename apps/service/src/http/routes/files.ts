import { operations } from "@stowage/schemas";
import type { FastifyInstance } from "fastify";
import { createDownload, type CreateDownloadDeps } from "#deliver/create-download.js";
import { createDownloads } from "#deliver/create-downloads.js";
import { deleteFiles, type DeleteFilesDeps } from "#files/delete/delete-files.js";
import { restoreFiles } from "#files/lifecycle/restore-files.js";
import { holdFile } from "#files/lifecycle/set-hold.js";
import { listFolders } from "#files/list/list-folders.js";
import { readJob } from "#files/organise/folder-jobs.js";
import { deleteFolder, moveFolder } from "#files/organise/start-folder-job.js";
import { updateFile } from "#files/organise/update-file.js";
import { listFiles } from "#files/list/list-files.js";
import { toRecord } from "#files/record/find-file.js";
import { completeUpload, type CompleteUploadDeps } from "#files/settle/complete-upload.js";
import { findArrivedFile } from "#files/settle/find-arrived-file.js";
import { listVersions } from "#files/versions/find-versions.js";
import { restoreVersion } from "#files/versions/restore-version.js";
import { cancelUpload, type CancelUploadDeps } from "#files/upload/cancel-upload.js";
import { requestUpload, type RequestUploadDeps } from "#files/upload/request-upload.js";
import { reportScan } from "#scans/report-scan.js";
import { setVisibility } from "#visibility/set-visibility.js";
import { createRoutes, type RouteDeps } from "./route.js";

export type FileRoutesDeps = RouteDeps &
  Omit<
    RequestUploadDeps & CompleteUploadDeps & CancelUploadDeps & CreateDownloadDeps & DeleteFilesDeps,
    "db" | "settling" | "store"
  >;

/** The calls about files. */
export function fileRoutes(scope: FastifyInstance, deps: FileRoutesDeps): void {
  const { admission, route } = createRoutes(scope, deps);
  admission(operations.requestUpload, requestUpload);
  route(operations.completeUpload, completeUpload);
  route(operations.cancelUpload, cancelUpload);
  route(operations.createDownload, createDownload);
  route(operations.createDownloads, createDownloads);
  route(operations.deleteFiles, deleteFiles);
  route(operations.reportScan, reportScan);
  route(operations.restoreFiles, restoreFiles);
  route(operations.listVersions, listVersions);
  route(operations.restoreVersion, restoreVersion);
  route(operations.holdFile, holdFile);
  route(operations.setVisibility, setVisibility);
  route(operations.findFile, async (deps, project, query) => {
    const file = await findArrivedFile(deps, project, query, { ifStorageIsDown: "return recorded" });
    return toRecord(file, deps.store);
  });
  route(operations.listFiles, listFiles);
  route(operations.updateFile, updateFile);
  route(operations.listFolders, listFolders);
  route(operations.moveFolder, moveFolder);
  route(operations.deleteFolder, deleteFolder);
  route(operations.readJob, readJob);
}
