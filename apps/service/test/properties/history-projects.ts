import { StowageError } from "@stowage/schemas";
import { updateProject } from "#projects/update-project.js";
import { setLimits } from "#tenants/set-limits.js";
import type { World } from "../fixtures/a-world.js";
import { LARGE_QUOTA, QUOTA } from "./invariants.js";
import type { HistoryProject } from "./model.js";
import { LARGE_TENANT, type LifecycleSettings } from "./operations.js";

/**
 * The two projects of a history. In the first one every upload declares its size, so its quota must hold after each step. In the second
 * one it must hold unless the project allows files over the quota.
 *
 * @param afterOutage each connection of the pool fails once, so this tries again
 */
export async function createProjects(
  world: World,
  settings: [LifecycleSettings, LifecycleSettings],
  { afterOutage }: { afterOutage: boolean },
): Promise<HistoryProject[]> {
  const attempts = afterOutage ? 10 : 1;
  const first = { defaultQuotaBytes: QUOTA, requireSize: true };
  const projects = [
    await createProject(world, first, settings[0], attempts),
    await createProject(world, { defaultQuotaBytes: QUOTA }, settings[1], attempts),
  ];
  for (const project of projects) {
    const quota = { tenantId: `tenant ${LARGE_TENANT}`, quotaBytes: LARGE_QUOTA };
    await setLimits(world.deps, project, quota);
  }
  return projects;
}

async function createProject(
  world: World,
  input: Parameters<World["project"]>[0],
  settings: LifecycleSettings,
  attempts: number,
): Promise<HistoryProject> {
  try {
    const { allowOverQuota, trashDays, scan, allowUnscannable } = settings;
    const project = await world.project({ ...input, allowOverQuota, trashDays });
    if (scan !== "off") await updateProject(world.deps, project.ref, { scan, allowUnscannable });
    return {
      ...project,
      settings,
      requiresSize: input?.requireSize === true,
      deletingTenants: new Set(),
      mayMissDays: false,
      mayExceedQuota: false,
    };
  } catch (error) {
    const isOutage = error instanceof StowageError && error.code === "unavailable";
    if (!isOutage || attempts === 1) throw error;
    return createProject(world, input, settings, attempts - 1);
  }
}
