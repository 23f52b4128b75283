#!/usr/bin/env node
import { Command } from "commander";
import { corsCommand } from "./cli/cors.js";
import { doctorCommand } from "./cli/doctor.js";
import { eventCommand } from "./cli/event.js";
import { exportCommand } from "./cli/export.js";
import { fileCommand } from "./cli/file.js";
import { folderCommand } from "./cli/folder.js";
import { importCommand } from "./cli/import.js";
import { linkCommand } from "./cli/link.js";
import { mcpCommand } from "./cli/mcp.js";
import { meterCommand } from "./cli/meter.js";
import { migrateCommand } from "./cli/migrate.js";
import { operatorCommand } from "./cli/operator.js";
import { planCommand } from "./cli/plan.js";
import { presetCommand } from "./cli/preset.js";
import { projectCommand } from "./cli/project.js";
import { reconcileCommand } from "./cli/reconcile.js";
import { reportError } from "./cli/report-error.js";
import { tenantCommand } from "./cli/tenant.js";
import { usageCommand } from "./cli/usage.js";
import { verifyCommand } from "./cli/verify.js";
import { webhookCommand } from "./cli/webhook.js";
import { workerCommand } from "./cli/worker.js";
import { readEgressConfig } from "./config.js";
import { installProxyOf } from "./lib/egress-proxy.js";
import { readVersion } from "./version.js";

const { env } = process;
// Otherwise the AWS SDK prints a warning about old versions of Node before each result.
env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";

const program = new Command("stowage")
  .description("Manages a Stowage service. Reads the same settings from the environment as the service.")
  .version(readVersion())
  .hook("preAction", () => installProxyOf(readEgressConfig(env)))
  .addCommand(migrateCommand(env))
  .addCommand(projectCommand(env))
  .addCommand(operatorCommand(env))
  .addCommand(tenantCommand(env))
  .addCommand(fileCommand(env))
  .addCommand(folderCommand(env))
  .addCommand(linkCommand(env))
  .addCommand(planCommand(env))
  .addCommand(presetCommand(env))
  .addCommand(webhookCommand(env))
  .addCommand(eventCommand(env))
  .addCommand(usageCommand(env))
  .addCommand(meterCommand(env))
  .addCommand(importCommand(env))
  .addCommand(exportCommand(env))
  .addCommand(reconcileCommand(env))
  .addCommand(doctorCommand(env))
  .addCommand(verifyCommand(env))
  .addCommand(mcpCommand(env))
  .addCommand(corsCommand(env))
  .addCommand(workerCommand(env));

program.parseAsync().catch(reportError);
