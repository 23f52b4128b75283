import { followEventsQuery, limits, parse, snakeKeys } from "@stowage/schemas";
import { Command } from "commander";
import { readEvents } from "#follow/read-events.js";
import { findProjectByRef } from "#projects/find-project.js";
import type { Environment } from "#settings/parse-settings.js";
import { createCommandOfProject, type ProjectOptions, withDatabase } from "./command.js";
import { printJson, printTable } from "./print.js";

/** `stowage event …` */
export function eventCommand(env: Environment): Command {
  return new Command("event")
    .description("read the events of a project, which its webhooks send too")
    .addCommand(listCommand(env));
}

interface ListOptions extends ProjectOptions {
  after?: string;
  types?: string;
  limit?: string;
}

function listCommand(env: Environment): Command {
  return createCommandOfProject("list", "print the events after a cursor, oldest first", "events")
    .option("--after <cursor>", "the NEXT cursor of the last call (default: the oldest event that is kept)")
    .option("--types <types>", "only these types of events, separated by commas")
    .option("--limit <n>", `1 to ${limits.eventsPageSize} events (default: 100)`)
    .action(async ({ project: ref, json, after, types, limit }: ListOptions) => {
      const query = parse(followEventsQuery, { after, types, limit });
      const { events, nextCursor } = await withDatabase(env, async (deps) =>
        readEvents(deps, await findProjectByRef(deps, ref), query),
      );
      // The data of an event is in snake_case already.
      if (json) return printJson({ events, ...snakeKeys({ nextCursor }) });
      printTable(
        ["TIME", "TYPE", "TENANT", "FILE"],
        events.map(({ type, timestamp, data }) => [
          timestamp,
          type,
          text(data["tenant_id"]),
          text(data["file_path"]),
        ]),
      );
      console.log(`NEXT  ${nextCursor}`);
    });
}

const text = (member: unknown) => (typeof member === "string" ? member : "");
