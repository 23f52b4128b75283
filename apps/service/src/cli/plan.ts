import { parse, setPlanRequest, snakeKeys } from "@stowage/schemas";
import { Command } from "commander";
import type { Environment } from "#settings/parse-settings.js";
import { findProjectByRef } from "#projects/find-project.js";
import { deletePlan, listPlans, type PlanRecord, setPlan } from "#tenants/plans.js";
import { actorOf, createCommandOfProject, type ProjectOptions, withDatabase } from "./command.js";
import { type LimitOptions, noneToNull, withLimitOptions } from "./limit-options.js";
import { bytesOr, printJson, printTable } from "./print.js";

/** `stowage plan …` */
export function planCommand(env: Environment): Command {
  return new Command("plan")
    .description("manage the plans of a project: named sets of limits")
    .addCommand(setPlanCommand(env))
    .addCommand(listPlansCommand(env))
    .addCommand(deletePlanCommand(env));
}

function setPlanCommand(env: Environment): Command {
  const command = createCommandOfProject("set", "create a plan, or change it for all its tenants", "plan");
  return withLimitOptions(command.argument("<name>"), "the project's").action(
    async (name: string, { project: ref, json, ...options }: ProjectOptions & LimitOptions) => {
      const input = parse(setPlanRequest, {
        name,
        quota_bytes: noneToNull(options.quotaBytes),
        max_files: noneToNull(options.maxFiles),
        max_open_uploads: noneToNull(options.maxOpenUploads),
        uploads_per_minute: noneToNull(options.uploadsPerMinute),
      });
      print(
        await withDatabase(env, async (deps) => [await setPlan(deps, await actorOf(deps, ref), input)]),
        json,
      );
    },
  );
}

function listPlansCommand(env: Environment): Command {
  return createCommandOfProject("list", "list the plans", "plans").action(
    async ({ project: ref, json }: ProjectOptions) => {
      const plans = await withDatabase(env, async (deps) =>
        listPlans(deps, await findProjectByRef(deps, ref)),
      );
      if (json) return printJson(plans.map((plan) => snakeKeys(plan)));
      print(plans);
    },
  );
}

function deletePlanCommand(env: Environment): Command {
  return createCommandOfProject("delete", "delete a plan that no tenant has", "plan")
    .argument("<name>")
    .action(async (name: string, { project: ref, json }: ProjectOptions) => {
      print(
        await withDatabase(env, async (deps) => [await deletePlan(deps, await actorOf(deps, ref), { name })]),
        json,
      );
    });
}

function print(plans: PlanRecord[], json?: true): void {
  if (json) return printJson(snakeKeys(plans[0]!));
  printTable(
    ["PLAN", "QUOTA", "FILES", "OPEN UPLOADS", "UPLOADS PER MINUTE"],
    plans.map((plan) => [
      plan.name,
      bytesOr("project's", plan.quotaBytes),
      bytesOr("project's", plan.maxFiles),
      bytesOr("project's", plan.maxOpenUploads),
      bytesOr("project's", plan.uploadsPerMinute),
    ]),
  );
}
