import { router } from "./procedures.js";
import { passwordResetRouter, sessionRouter, setupRouter } from "./routers/auth.js";
import { filesRouter, tryItRouter } from "./routers/files.js";
import { healthRouter } from "./routers/health.js";
import { linksRouter } from "./routers/links.js";
import { membersRouter } from "./routers/members.js";
import { operatorsRouter } from "./routers/operators.js";
import { overviewRouter } from "./routers/overview.js";
import { presetsRouter } from "./routers/presets.js";
import { auditRouter, keyRouter, projectsRouter, settingsRouter } from "./routers/projects.js";
import { quarantineRouter } from "./routers/quarantine.js";
import { plansRouter, tenantsRouter } from "./routers/tenants.js";
import { webhooksRouter } from "./routers/webhooks.js";

/** All procedures of the dashboard. */
export const appRouter = router({
  setup: setupRouter, //       status · finish
  passwordReset: passwordResetRouter, // read · finish
  session: sessionRouter, //   me · activity · list · end · endOthers
  operators: operatorsRouter, // list · setProjectGrant
  projects: projectsRouter, // list · create · read · pages · delete
  settings: settingsRouter, // rename · update
  key: keyRouter, //           describe · regenerate
  overview: overviewRouter, // read · perDay · refusals · newestUploads · uploads
  health: healthRouter, //     read · requests · refusedRequests
  tenants: tenantsRouter, //   list · count · read · usagePerDay · delete · setLimits
  plans: plansRouter, //       list · save · delete
  files: filesRouter, //       list · count · read · history · links · delete · discardUploads
  links: linksRouter, //       list · create · revoke
  quarantine: quarantineRouter, // list · release
  presets: presetsRouter, //   list · save · delete
  members: membersRouter, //   list · invite · revokeInvitation · readInvitation · accept · changeRole · remove
  tryIt: tryItRouter, //       request · complete
  webhooks: webhooksRouter, // list · create · change · rotateSecret · delete · sendTest · deliveries · readDelivery · redeliver · redeliverSince
  audit: auditRouter, //       list
});

export type AppRouter = typeof appRouter;
