import { setTimeout as sleep } from "node:timers/promises";
import type { FollowEventsResponse } from "@stowage/schemas";
import type { Sql } from "postgres";
import type { Client } from "./client.js";
import type { ProjectWithKey } from "@stowage/service/src/projects/create-project.js";

const PAUSE_MS = 1000;
const WAIT_SECONDS = 2;
const LIMIT = 200;
const TRIES_AT_END = 20;

export interface Follower {
  project: ProjectWithKey;
  /** The ids of all events, in the order of the log. */
  ids: string[];
  /** Reads the rest of the log, and ends. */
  stop(): Promise<void>;
}

/** Follows the log of a project. Its first call starts the log, so call this before the project has a file. */
export async function followEvents(
  client: Client,
  project: ProjectWithKey,
  onWrong: (problem: string) => void,
): Promise<Follower> {
  const ids: string[] = [];
  let cursor: string | null = null;
  const stopping = new AbortController();

  /** @returns how many events there were; null without an answer */
  async function read(): Promise<number | null> {
    const after = cursor === null ? "" : `&after=${encodeURIComponent(cursor)}`;
    const wait = stopping.signal.aborted ? 0 : WAIT_SECONDS;
    const path = `events/?limit=${LIMIT}&wait=${wait}${after}`;
    const answer = await client.call<FollowEventsResponse>({ name: "events", path, key: project.apiKey });
    if (answer === null) return null;
    if (answer.status !== 200) {
      onWrong(`events: ${answer.status} ${answer.code}`);
      return null;
    }
    ids.push(...answer.body.events.map(({ id }) => id));
    cursor = answer.body.next_cursor;
    return answer.body.events.length;
  }
  async function work(): Promise<void> {
    while (!stopping.signal.aborted) if (!(await read())) await sleep(PAUSE_MS);
  }

  if ((await read()) === null) throw new Error("the log of events did not start");
  const working = work();
  return {
    project,
    ids,
    async stop() {
      stopping.abort();
      await working;
      for (let failed = 0; failed < TRIES_AT_END;) {
        const count = await read();
        if (count === 0) return;
        if (count === null) failed++;
      }
      onWrong("the log of events cannot be read to its end");
    },
  };
}

/** Compares what was followed with the rows: none is missing, none came twice, and all came in the order of the log. */
export async function findWrongLog(sql: Sql, followers: Follower[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const { project, ids, stop } of followers) {
    await stop();
    const rows = await sql<{ id: string }[]>`
      select e.id from webhook_events e join projects p on p.id = e.project_id where p.ref = ${project.ref} order by e.position`;
    const expected = rows.map(({ id }) => `evt_${id}`);
    const found = new Set(ids);
    const missing = expected.filter((id) => !found.has(id)).length;
    const at = expected.findIndex((id, index) => ids[index] !== id);
    if (ids.length !== expected.length || at >= 0)
      wrong.push(
        `${ids.length} events of ${expected.length} were followed: ${missing} missing, ${ids.length - found.size} twice, the first other one is the ${at + 1}th`,
      );
  }
  return wrong;
}
