import { router } from "./init.js";
import { auditRouter } from "./routers/audit.js";
import { filesRouter } from "./routers/files.js";
import { keyRouter } from "./routers/keys.js";
import { membersRouter } from "./routers/members.js";
import { overviewRouter } from "./routers/overview.js";
import { passwordResetRouter } from "./routers/password-reset.js";
import { projectsRouter } from "./routers/projects.js";
import { sessionRouter } from "./routers/session.js";
import { settingsRouter } from "./routers/settings.js";
import { setupRouter } from "./routers/setup.js";
import { tenantsRouter } from "./routers/tenants.js";
import { tryItRouter } from "./routers/try-it.js";

/** All that the dashboard can ask for: a table of contents. */
export const appRouter = router({
  setup: setupRouter, //       status · finish
  passwordReset: passwordResetRouter, // read · finish
  session: sessionRouter, //   me · activity
  projects: projectsRouter, // list · create · read · delete
  settings: settingsRouter, // rename · update
  key: keyRouter, //           describe · regenerate
  overview: overviewRouter, // read · perDay · refusals · newestUploads · uploads
  tenants: tenantsRouter, //   list · read · usagePerDay · setQuota
  files: filesRouter, //       list · read · history · links · delete
  members: membersRouter, //   list · invite · revokeInvitation · readInvitation · accept · changeRole · remove
  tryIt: tryItRouter, //       request · complete
  audit: auditRouter, //       list
});

export type AppRouter = typeof appRouter;
