import type { ChosenWebhookEventType } from "@stowage/schemas";
import type { Sql } from "postgres";
import { commandLineActor, type ProjectActor } from "#audit/caller.js";
import { composeSecretBox } from "#compose-adapters.js";
import { composeDatabaseCommands } from "#compose-cli.js";
import { readDatabaseConfig } from "#config.js";
import { createProject, type NewProject, type ProjectWithKey } from "#projects/create-project.js";
import {
  createEndpoint,
  type EndpointWithSecret,
  type ManageEndpointsDeps,
} from "#webhooks/manage-endpoints.js";
import type { RedeliverDeps } from "#webhooks/redeliver.js";

/** What operators do in a database whose service runs as a process. */
export interface Operators {
  project(input: NewProject): Promise<ProjectWithKey>;
  endpoint(
    project: ProjectWithKey,
    url: string,
    events: ChosenWebhookEventType[],
  ): Promise<EndpointWithSecret>;
  inProject<T>(
    project: ProjectWithKey,
    call: (deps: ManageEndpointsDeps & RedeliverDeps, actor: ProjectActor) => Promise<T>,
  ): Promise<T>;
}

export function operatorsOf(databaseUrl: string): Operators {
  const compose = () =>
    composeDatabaseCommands(readDatabaseConfig({ DATABASE_URL: databaseUrl, DATABASE_TIMEOUT_MS: "60000" }));
  const inProject: Operators["inProject"] = async ({ ref }, call) => {
    const { deps, close } = compose();
    const webhookDeps = {
      ...deps,
      webhookSecrets: composeSecretBox({}, deps.db),
      webhookAddresses: { allowPrivate: true },
    };
    try {
      const [row] = await deps.db.execute<{ id: number }>("select id from projects where ref = $1", [ref]);
      return await call(webhookDeps, { ...commandLineActor, project: { id: Number(row!.id), ref } });
    } finally {
      await close();
    }
  };
  return {
    inProject,
    async project(input) {
      const { deps, close } = compose();
      return createProject(deps, input).finally(close);
    },
    endpoint: (project, url, events) =>
      inProject(project, (deps, actor) => createEndpoint(deps, actor, { url, description: "", events })),
  };
}

/** Makes every waiting delivery due, as time would. @returns how many there are, with the changes that are not fanned out */
export async function makeDeliveriesDue(sql: Sql): Promise<number> {
  const [waiting] = await sql`
    select (select count(*) from webhook_outbox) + (select count(*) from webhook_deliveries where next_attempt_at is not null) as count`;
  const projects =
    await sql`select distinct project_id from webhook_deliveries where next_attempt_at is not null`;
  // The service locks deliveries in another order. Those that it has locked are being worked on.
  for (const { project_id } of projects)
    await sql`
      update webhook_deliveries set next_attempt_at = now() where project_id = ${project_id} and ctid = any(array(
        select ctid from webhook_deliveries
        where project_id = ${project_id} and next_attempt_at is not null for update skip locked))`;
  return Number(waiting!["count"]);
}
