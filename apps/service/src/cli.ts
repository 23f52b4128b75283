#!/usr/bin/env node
import { Command } from "commander";
import { corsApplyCommand } from "./cli/cors-apply.js";
import { doctorCommand } from "./cli/doctor.js";
import { fail } from "./cli/fail.js";
import { migrateCommand } from "./cli/migrate.js";
import { operatorListCommand } from "./cli/operator-list.js";
import { operatorRemoveTwoFactorCommand } from "./cli/operator-remove-two-factor.js";
import { operatorResetPasswordCommand } from "./cli/operator-reset-password.js";
import { projectCreateCommand } from "./cli/project-create.js";
import { projectListCommand } from "./cli/project-list.js";
import { projectRegenerateKeyCommand } from "./cli/project-regenerate-key.js";
import { projectSetCommand } from "./cli/project-set.js";
import { reconcileCommand } from "./cli/reconcile.js";
import { usageCommand } from "./cli/usage.js";

const { env } = process;
// The AWS SDK's advice about Node's version would stand before every answer.
env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";

const project = new Command("project")
  .description("projects and their keys")
  .addCommand(projectCreateCommand(env))
  .addCommand(projectListCommand(env))
  .addCommand(projectRegenerateKeyCommand(env))
  .addCommand(projectSetCommand(env));

const operator = new Command("operator")
  .description("people who sign in to the dashboard")
  .addCommand(operatorListCommand(env))
  .addCommand(operatorResetPasswordCommand(env))
  .addCommand(operatorRemoveTwoFactorCommand(env));

const cors = new Command("cors")
  .description("which pages may call the bucket")
  .addCommand(corsApplyCommand(env));

const program = new Command("stowage")
  .description("Operates a Stowage service. Reads the service's settings from the environment.")
  .addCommand(migrateCommand(env))
  .addCommand(project)
  .addCommand(operator)
  .addCommand(usageCommand(env))
  .addCommand(reconcileCommand(env))
  .addCommand(doctorCommand(env))
  .addCommand(cors);

program.parseAsync().catch(fail);
