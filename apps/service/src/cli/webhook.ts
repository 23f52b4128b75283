import { snakeKeys, webhookEventTypes } from "@stowage/schemas";
import type { CreateEndpointInput } from "@stowage/operator-schemas";
import { Command, Option } from "commander";
import type { ProjectActor } from "#audit/caller.js";
import { composeWebhookCommands } from "#compose-cli.js";
import { ConfigError, type Environment } from "#settings/parse-settings.js";
import { readWebhookConfig } from "#config.js";
import { findProjectByRef } from "#projects/find-project.js";
import type { EndpointRecord } from "#webhooks/endpoint-record.js";
import { createEndpoint, deleteEndpoint, listEndpoints, rotateSecret } from "#webhooks/manage-endpoints.js";
import { redeliver, redeliverSince, type RedeliverDeps } from "#webhooks/redeliver.js";
import { endpointUrl, eventId, eventTypes, time } from "./arguments.js";
import { actorOf, createCommandOfProject, type ProjectOptions, withDatabase, withDeps } from "./command.js";
import { printJson, printTable } from "./print.js";

/** `stowage webhook …` */
export function webhookCommand(env: Environment): Command {
  return new Command("webhook")
    .description("manage the webhook endpoints of a project")
    .addCommand(createEndpointCommand(env))
    .addCommand(listEndpointsCommand(env))
    .addCommand(rotateSecretCommand(env))
    .addCommand(deleteEndpointCommand(env))
    .addCommand(redeliverCommand(env));
}

const createWebhookCommand = (name: string, description: string) =>
  createCommandOfProject(name, description, "endpoint");

interface CreateOptions extends ProjectOptions {
  events: CreateEndpointInput["events"];
  description: string;
}

function createEndpointCommand(env: Environment): Command {
  return createWebhookCommand("create", "create an endpoint and print its secret, which is shown only once")
    .argument("<url>", "URL that gets the events", endpointUrl)
    .requiredOption(
      "--events <types>",
      `"all", or types of events, separated by commas: ${webhookEventTypes.join(", ")}`,
      eventTypes,
    )
    .option("--description <text>", "note for the operators", "")
    .action(async (url: string, { project, events, description, json }: CreateOptions) => {
      const { secret, ...endpoint } = await withDeps(
        composeWebhookCommands(readWebhookConfig(env)),
        async (deps) => createEndpoint(deps, await actorOf(deps, project), { url, events, description }),
      );
      if (json) return printJson({ ...toJson(endpoint), secret });
      console.log(`Endpoint ${endpoint.ref}\nSecret (shown only once): ${secret}`);
    });
}

function listEndpointsCommand(env: Environment): Command {
  return createWebhookCommand("list", "list the endpoints of a project").action(
    async ({ project, json }: ProjectOptions) => {
      const endpoints = await withDatabase(env, async (deps) =>
        listEndpoints(deps, await findProjectByRef(deps, project)),
      );
      if (json)
        return printJson(
          endpoints.map(({ undelivered, ...endpoint }) => ({
            ...toJson(endpoint),
            undelivered: snakeKeys(undelivered),
          })),
        );
      printTable(
        ["ENDPOINT", "STATE", "UNDELIVERED", "EVENTS", "URL"],
        endpoints.map((endpoint) => [
          endpoint.ref,
          stateOf(endpoint),
          endpoint.undelivered.isExact ? endpoint.undelivered.count : `${endpoint.undelivered.count}+`,
          endpoint.events.length === webhookEventTypes.length ? "all" : endpoint.events.join(","),
          endpoint.url,
        ]),
      );
    },
  );
}

function rotateSecretCommand(env: Environment): Command {
  return createWebhookCommand(
    "rotate",
    "replace the secret of an endpoint and print the new one, which is shown only once; both sign for 24 hours",
  )
    .argument("<endpoint_id>", "id of the endpoint, as `webhook list` prints it")
    .action(async (endpointRef: string, { project, json }: ProjectOptions) => {
      const { secret, ...endpoint } = await withDeps(
        composeWebhookCommands(readWebhookConfig(env)),
        async (deps) => rotateSecret(deps, await actorOf(deps, project), { endpointRef }),
      );
      if (json) return printJson({ ...toJson(endpoint), secret });
      console.log(
        `Secret (shown only once): ${secret}\nThe old secret signs too until ${endpoint.previousSecretEndsAt}.`,
      );
    });
}

function deleteEndpointCommand(env: Environment): Command {
  return createWebhookCommand("delete", "delete an endpoint; events that are waiting for it are not sent")
    .argument("<endpoint_id>", "id of the endpoint, as `webhook list` prints it")
    .action(async (endpointRef: string, { project, json }: ProjectOptions) => {
      await withDatabase(env, async (deps) =>
        deleteEndpoint(deps, await actorOf(deps, project), { endpointRef }),
      );
      if (json) return printJson({ endpoint_id: endpointRef, deleted: true });
      console.log(`The endpoint ${endpointRef} was deleted.`);
    });
}

interface RedeliverOptions extends ProjectOptions {
  event?: string;
  since?: string;
}

function redeliverCommand(env: Environment): Command {
  return createWebhookCommand("redeliver", "send one event again, or all events since a time")
    .argument("<endpoint_id>", "id of the endpoint, as `webhook list` prints it")
    .addOption(new Option("--event <id>", "id of the event").argParser(eventId).conflicts("since"))
    .option("--since <time>", "time such as 2026-01-31T12:00:00Z", time)
    .action(async (endpointRef: string, { project, event, since, json }: RedeliverOptions) => {
      if (event === undefined && since === undefined) throw new ConfigError("Name --event or --since.");
      const redelivered = await withDatabase(env, async (deps) => {
        const actor = await actorOf(deps, project);
        if (since !== undefined) return redeliverAll(deps, actor, { endpointRef, since });
        await redeliver(deps, actor, { endpointRef, eventId: event! });
        return 1;
      });
      if (json) return printJson({ endpoint_id: endpointRef, redelivered });
      console.log(redelivered === 1 ? "1 event is sent again." : `${redelivered} events are sent again.`);
    });
}

/** Sends all events since a time again, in the batches of the verb. @returns how many */
async function redeliverAll(
  deps: RedeliverDeps,
  actor: ProjectActor,
  which: { endpointRef: string; since: string },
): Promise<number> {
  let count = 0;
  let after: string | null = null;
  do {
    const { redelivered, next } = await redeliverSince(deps, actor, { ...which, ...(after && { after }) });
    count += redelivered;
    after = next;
  } while (after !== null);
  return count;
}

function toJson({ ref, ...endpoint }: EndpointRecord) {
  return { endpoint_id: ref, ...snakeKeys(endpoint) };
}

function stateOf({ disabledReason, failingSince }: EndpointRecord): string {
  if (disabledReason !== null) return `disabled (${disabledReason})`;
  return failingSince === null ? "enabled" : "failing";
}
