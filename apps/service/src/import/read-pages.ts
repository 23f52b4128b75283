import type { Project } from "#projects/find-project.js";
import { type Place, placeObject, type PlacingRules, type SkipReason } from "./place-object.js";
import { findRecorded, findTenants, type KnownTenant, pathOf, type RecordFilesDeps } from "./record-files.js";
import type { ObjectSource, SourceObject } from "./source.js";
import type { TableFile } from "./table-file.js";

export interface ReadPagesDeps extends Pick<RecordFilesDeps, "db"> {
  source: ObjectSource;
  rules: PlacingRules;
  /** What earlier runs have done. */
  done: TableFile["done"];
}

/** An object that becomes a file. */
export interface WantedObject {
  object: SourceObject;
  place: Place;
}

/** An object whose file an earlier run has recorded, before it was killed. */
export interface RecordedObject extends WantedObject {
  path: string;
}

/** What a page of a listing has. */
export interface ObjectPage {
  wanted: WantedObject[];
  recorded: RecordedObject[];
  skipped: { object: SourceObject; reason: SkipReason | "tenant_being_deleted" | "changed" }[];
  /** The objects that are in the table already. */
  doneCount: number;
}

/** Reads the listing of the source, and says what is to be done with each object. */
export async function* readPages(
  deps: ReadPagesDeps,
  project: Project & { maxFileBytes: number },
): AsyncGenerator<ObjectPage, void, undefined> {
  for await (const objects of deps.source.list()) yield readPage(deps, project, objects);
}

async function readPage(
  { db, source, rules, done }: ReadPagesDeps,
  project: Project & { maxFileBytes: number },
  objects: SourceObject[],
): Promise<ObjectPage> {
  const page: ObjectPage = { wanted: [], recorded: [], skipped: [], doneCount: 0 };
  const placed: WantedObject[] = [];
  for (const object of objects) {
    const etag = done.get(object.key);
    if (etag === undefined) {
      const place = placeObject(object, rules, project.maxFileBytes);
      if (typeof place === "string") page.skipped.push({ object, reason: place });
      else placed.push({ object, place });
    } else if (object.etag !== "" && etag !== object.etag) page.skipped.push({ object, reason: "changed" });
    else page.doneCount++;
  }
  const tenants = await findTenants(
    { db },
    project,
    placed.map(({ place }) => place.tenantId),
  );
  const pathIn = (tenant: KnownTenant, { object, place }: WantedObject) =>
    pathOf(project, tenant, { sourceId: source.id, key: object.key, filename: place.filename });
  const paths = placed.flatMap((one) => {
    const tenant = tenants.get(one.place.tenantId);
    return tenant ? [pathIn(tenant, one)] : [];
  });
  const recorded = await findRecorded({ db }, project, paths);
  for (const one of placed) {
    const tenant = tenants.get(one.place.tenantId);
    const path = tenant ? pathIn(tenant, one) : undefined;
    if (tenant === null) page.skipped.push({ object: one.object, reason: "tenant_being_deleted" });
    else if (path !== undefined && recorded.has(path)) page.recorded.push({ ...one, path });
    else page.wanted.push(one);
  }
  return page;
}
