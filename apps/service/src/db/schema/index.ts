export { auditLog } from "./audit-log.js";
export { fileEventKind, fileEvents } from "./file-events.js";
export { type FileImage, files, fileStatus, type Multipart, scanStatus } from "./files.js";
export { fileTaskKind, fileTasks } from "./file-tasks.js";
export { folderJobs } from "./folder-jobs.js";
export { folders } from "./folders.js";
export { replicas, requestMinutes } from "./health.js";
export { idempotencyKeys } from "./idempotency-keys.js";
export {
  fileVariants,
  imageFormat,
  imagePresets,
  presetFit,
  variantFailure,
  variantStatus,
} from "./images.js";
export { installation, setupTokens } from "./installation.js";
export { invitations } from "./invitations.js";
export {
  operatorAccounts,
  operatorRateLimits,
  operators,
  operatorSessions,
  operatorTwoFactors,
  operatorVerifications,
  passwordBudgets,
} from "./operators.js";
export { passwordResets } from "./password-resets.js";
export { plans } from "./plans.js";
export { memberRole, projectMembers } from "./project-members.js";
export { projects, scanSetting } from "./projects.js";
export { shareLinks } from "./share-links.js";
export { replacements } from "./replacements.js";
export { storageMoves, storageMoveStates } from "./storage-moves.js";
export { tenants } from "./tenants.js";
export { tombstones } from "./tombstones.js";
export {
  logDeliveries,
  projectUsageDaily,
  refusalsDaily,
  refusedRequests,
  USAGE_SLOTS,
  usageDaily,
} from "./usage.js";
export {
  eventLogs,
  webhookAttempts,
  webhookDeliveries,
  webhookDeliveryState,
  webhookEndpoints,
  webhookEvents,
  webhookOutbox,
} from "./webhooks.js";
