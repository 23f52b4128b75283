import * as cancelUpload from "./cancel-upload.js";
import * as checkAlive from "./check-alive.js";
import * as checkReady from "./check-ready.js";
import * as completeUpload from "./complete-upload.js";
import * as createDownload from "./create-download.js";
import * as createDownloads from "./create-downloads.js";
import * as createLink from "./create-link.js";
import * as deleteFiles from "./delete-files.js";
import * as deleteFolder from "./delete-folder.js";
import * as deletePlan from "./delete-plan.js";
import * as deleteTenant from "./delete-tenant.js";
import * as describe from "./describe.js";
import * as describeService from "./describe-service.js";
import * as describe30 from "./describe30.js";
import * as exportTenant from "./export-tenant.js";
import * as findFile from "./find-file.js";
import * as followEvents from "./follow-events.js";
import * as holdFile from "./hold-file.js";
import * as listFiles from "./list-files.js";
import * as listFolders from "./list-folders.js";
import * as listLinks from "./list-links.js";
import * as listParts from "./list-parts.js";
import * as listPlans from "./list-plans.js";
import * as listTenants from "./list-tenants.js";
import * as listUploads from "./list-uploads.js";
import * as listVersions from "./list-versions.js";
import * as moveFolder from "./move-folder.js";
import * as openUpload from "./open-upload.js";
import * as readDailyUsage from "./read-daily-usage.js";
import * as readMonthlyUsage from "./read-monthly-usage.js";
import * as readJob from "./read-job.js";
import * as readUsage from "./read-usage.js";
import * as reportScan from "./report-scan.js";
import * as requestUpload from "./request-upload.js";
import * as restoreFiles from "./restore-files.js";
import * as restoreVersion from "./restore-version.js";
import * as revokeLink from "./revoke-link.js";
import * as setLimits from "./set-limits.js";
import * as setPlan from "./set-plan.js";
import * as setQuota from "./set-quota.js";
import * as setVisibility from "./set-visibility.js";
import * as signParts from "./sign-parts.js";
import * as updateFile from "./update-file.js";

/*
 * What programs need to make each call with an API key. Separate exports instead of one table, so that a bundle contains only the
 * schemas of the calls that it makes.
 */
export { call as cancelUpload } from "./cancel-upload.js";
export { call as completeUpload } from "./complete-upload.js";
export { call as createDownload } from "./create-download.js";
export { call as createDownloads } from "./create-downloads.js";
export { call as createLink } from "./create-link.js";
export { call as deleteFiles } from "./delete-files.js";
export { call as deleteFolder } from "./delete-folder.js";
export { call as deletePlan } from "./delete-plan.js";
export { call as deleteTenant } from "./delete-tenant.js";
export { call as exportTenant } from "./export-tenant.js";
export { call as findFile } from "./find-file.js";
export { call as followEvents } from "./follow-events.js";
export { call as holdFile } from "./hold-file.js";
export { call as listFiles } from "./list-files.js";
export { call as listFolders } from "./list-folders.js";
export { call as listLinks } from "./list-links.js";
export { call as listParts } from "./list-parts.js";
export { call as listPlans } from "./list-plans.js";
export { call as listTenants } from "./list-tenants.js";
export { call as listUploads } from "./list-uploads.js";
export { call as listVersions } from "./list-versions.js";
export { call as moveFolder } from "./move-folder.js";
export { call as openUpload } from "./open-upload.js";
export { call as readDailyUsage } from "./read-daily-usage.js";
export { call as readMonthlyUsage } from "./read-monthly-usage.js";
export { call as readJob } from "./read-job.js";
export { call as readUsage } from "./read-usage.js";
export { call as reportScan } from "./report-scan.js";
export { call as requestUpload } from "./request-upload.js";
export { call as restoreFiles } from "./restore-files.js";
export { call as restoreVersion } from "./restore-version.js";
export { call as revokeLink } from "./revoke-link.js";
export { call as setLimits } from "./set-limits.js";
export { call as setPlan } from "./set-plan.js";
export { call as setQuota } from "./set-quota.js";
export { call as setVisibility } from "./set-visibility.js";
export { call as signParts } from "./sign-parts.js";
export { call as updateFile } from "./update-file.js";

/**
 * Every call of the REST API. The documentation shows them in this order, and runs their examples in it. A default export, because
 * `export *` in ../calls.ts leaves it out: a program that uses `calls` does not get the texts.
 */
// oxlint-disable-next-line import/no-default-export -- see above: `export *` must leave it out
export default {
  requestUpload,
  completeUpload,
  cancelUpload,
  openUpload,
  signParts,
  listParts,
  listUploads,
  reportScan,
  createDownload,
  createDownloads,
  createLink,
  listLinks,
  revokeLink,
  findFile,
  listFiles,
  listFolders,
  moveFolder,
  deleteFolder,
  readJob,
  updateFile,
  setQuota,
  setPlan,
  listPlans,
  setLimits,
  deletePlan,
  listTenants,
  readUsage,
  readDailyUsage,
  readMonthlyUsage,
  deleteFiles,
  restoreFiles,
  listVersions,
  restoreVersion,
  holdFile,
  setVisibility,
  exportTenant,
  deleteTenant,
  followEvents,
  checkAlive,
  checkReady,
  describeService,
  describe,
  describe30,
};
