import {
  browserListedFile,
  calls,
  limits,
  StowageError,
  type BrowserListQuery,
  type BrowserListResponse,
  type File,
} from "@stowage/schemas";
import type { Config } from "../config.js";
import { routeOf } from "../routes/route-label.js";
import { requireRoute } from "../routes/require-route.js";
import { toFile } from "../service-api/records.js";
import { retryUnavailable, type RetryDelay } from "../service-api/retry.js";
import type { ServiceClient } from "../service-api/service-client.js";
import type { Caller } from "./identify-caller.js";
import { isAllowed } from "./is-allowed.js";
import { requireFolder } from "./list-folders.js";

type Deps = Pick<Config, "allowList" | "allowFolders" | "routes" | "timeoutMs"> & {
  service: ServiceClient;
  retryDelayMs: RetryDelay;
};

type ListFilter = Pick<BrowserListQuery, "route" | "folder">;

/** The service cannot filter by route or by the customer's function. So the helper reads up to this many of its pages to fill one. */
const MAX_PAGES_READ = 5;

/**
 * Lists one page of the caller's own stored files, newest first. Files that `allowList` hides and files of other routes are left
 * out. The helper looks through at most 500 files for one page, so a page may be short or empty and still have a next one.
 *
 * @throws {StowageError} `list_refused`, `folder_refused`, `route_not_found`, `invalid_request` for a cursor that no list made, `unavailable`
 */
export async function listFiles(
  deps: Deps,
  caller: Caller,
  { route, folder, limit, cursor }: BrowserListQuery,
): Promise<BrowserListResponse> {
  if (deps.allowList === false) throw new StowageError("list_refused");
  if (route !== undefined) requireRoute(deps.routes, route);
  if (folder !== undefined) await requireFolder(deps, caller, folder);
  const isFiltered = route !== undefined || deps.allowList !== true;
  const files: File[] = [];
  let next = cursor ?? null;
  for (let count = 0; count < MAX_PAGES_READ; count++) {
    const page = await readFittingPage(
      deps,
      caller,
      { route, folder },
      {
        limit: isFiltered ? limits.maxPageSize : limit,
        room: limit - files.length,
        cursor: next,
      },
    );
    files.push(...page.listed);
    next = page.nextCursor;
    if (next === null || files.length >= limit) break;
  }
  return { files: files.map(toListed), next_cursor: next };
}

/**
 * Reads a page of the service with at most `room` files that the caller may see. The service's cursor always points behind the last
 * file of its page. So if there are too many files, this reads again, only up to the first one that does not fit. It reads a third
 * time if a file was deleted meanwhile, because then another file has moved into the page.
 */
async function readFittingPage(
  deps: Deps,
  caller: Caller,
  filter: ListFilter,
  { limit, room, cursor }: { limit: number; room: number; cursor: string | null },
): ReturnType<typeof readPage> {
  const page = await readPage(deps, caller, filter, { limit, cursor });
  const firstTooMany = page.listed[room];
  if (firstTooMany === undefined) return page;
  const smaller = page.all.indexOf(firstTooMany);
  return readFittingPage(deps, caller, filter, { limit: smaller, room, cursor });
}

/** Reads a page of the service. `listed` are the files of the page that the caller may see. */
async function readPage(
  deps: Deps,
  caller: Caller,
  { route, folder }: ListFilter,
  { limit, cursor }: { limit: number; cursor: string | null },
) {
  const { signal } = caller.request;
  const query = {
    tenant_id: caller.tenantId,
    status: "stored" as const,
    folder,
    limit,
    cursor: cursor ?? undefined,
  };
  const read = () => deps.service.call(calls.listFiles, query, signal);
  const { body } = await retryUnavailable(read, deps.retryDelayMs, signal);
  return {
    all: body.files,
    listed: await listedOf(deps, caller, body.files, route),
    nextCursor: body.next_cursor,
  };
}

async function listedOf(
  deps: Deps,
  { request, tenantId }: Caller,
  files: File[],
  route: string | undefined,
): Promise<File[]> {
  const ofRoute = files.filter((file) => route === undefined || routeOf(file) === route);
  const allowed = await Promise.all(
    ofRoute.map((file) => isAllowed(deps, "allowList", { request, tenantId, file: toFile(file) })),
  );
  return ofRoute.filter((_, index) => allowed[index]);
}

/** A stored file as its owner's page sees it. */
export const toListed = (file: File) => browserListedFile.parse({ ...file, route: routeOf(file) });
