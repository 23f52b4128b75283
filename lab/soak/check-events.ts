import { makeDeliveriesDue } from "@stowage/service/test/faults/operators-of.js";
import type { SoakedSystem } from "./a-soaked-system.js";
import { untilNone } from "./check-files.js";
import type { LoadState } from "./load-state.js";

interface EventRow {
  id: string;
  type: string;
  path: string;
  subject: string;
  seq: string;
}

/** Waits until no delivery waits, and compares events, arrivals and what was acknowledged. */
export async function findWrongEvents({ sql, receiver }: SoakedSystem, state: LoadState): Promise<string[]> {
  const waiting = await untilNone(async () => {
    const count = await makeDeliveriesDue(sql);
    return count > 0 ? [`${count} deliveries wait`] : [];
  });
  const events = await sql<EventRow[]>`
    select e.id, e.type, e.data->>'path' as path, e.subject, d.seq
    from webhook_events e join webhook_deliveries d on d.project_id = e.project_id and d.event = e.id`;
  return [
    ...waiting,
    ...receiver.wrong,
    ...findNotArrived(events, receiver.arrivals),
    ...findWrongOrder(events, receiver.arrivals),
    ...findFalse(events, state),
  ];
}

function findNotArrived(events: EventRow[], arrivals: SoakedSystem["receiver"]["arrivals"]): string[] {
  const wrong: string[] = [];
  const ids = new Set(events.map(({ id }) => `evt_${id}`));
  for (const { id, type, path } of events) {
    const arrival = arrivals.get(`evt_${id}`);
    if (!arrival?.isAccepted) wrong.push(`${type} did not arrive: ${path}`);
    else if (arrival.path !== path || arrival.type !== type)
      wrong.push(`${type} arrived as ${arrival.type}: ${path}`);
  }
  for (const [id, { type, path }] of arrivals)
    if (!ids.has(id)) wrong.push(`${type} arrived, but is no event: ${path}`);
  return wrong;
}

/** The events of a file are first accepted in their order. */
function findWrongOrder(events: EventRow[], arrivals: SoakedSystem["receiver"]["arrivals"]): string[] {
  const bySubject = new Map(events.map((event) => [`evt_${event.id}`, event]));
  const last = new Map<string, number>();
  const wrong: string[] = [];
  for (const [id, { path, type, isAccepted }] of arrivals) {
    const event = bySubject.get(id);
    if (!event || !isAccepted) continue;
    const seq = Number(event.seq);
    if (seq < (last.get(path) ?? -1)) wrong.push(`${type} arrived after a later event: ${path}`);
    last.set(path, seq);
  }
  return wrong;
}

/** Each acknowledged change has its event, and each event had a cause. */
function findFalse(events: EventRow[], state: LoadState): string[] {
  const counts = new Map<string, Map<string, number>>();
  for (const { path, type } of events) {
    const ofFile = counts.get(path) ?? new Map<string, number>();
    counts.set(path, ofFile.set(type, (ofFile.get(type) ?? 0) + 1));
  }
  const wrong: string[] = [];
  for (const [path, ofFile] of counts) {
    const file = state.files.get(path);
    if (!file && (ofFile.size > 1 || !ofFile.has("file.expired")))
      wrong.push(`events of an unknown file: ${path}`);
  }
  for (const { path, tried, done, ends, project } of state.files.values()) {
    const count = (type: string) => counts.get(path)?.get(type) ?? 0;
    const between = (type: string, least: number, most: number) => {
      if (count(type) < least || count(type) > most)
        wrong.push(`${count(type)} times ${type}, expected ${least} to ${most}: ${path}`);
    };
    const restores = tried.restore ?? 0;
    const deletes = (tried.delete ?? 0) + (tried.purge ?? 0) + (ends ? 1 + restores : 0);
    const wasDeleted = done.complete && (done.delete || done.purge);
    between("file.stored", done.complete ? 1 : 0, tried.send ?? 0);
    between("file.restored", done.restore ?? 0, restores);
    between("file.deleted", Math.max(wasDeleted ? 1 : 0, done.restore ?? 0), deletes);
    between("file.expired", 0, done.send ? 0 : 1);
    const { isScanned } = state.projects[project]!;
    // A scan in the trash sends nothing.
    between("file.scanned", isScanned && done.complete && deletes === 0 ? 1 : 0, isScanned ? 1 : 0);
    between("file.updated", done.update ?? 0, tried.update ?? 0);
  }
  return wrong;
}
