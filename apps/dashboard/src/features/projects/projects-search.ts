import type { ProjectsListInput } from "@stowage/schemas/dashboard";

/** The schema itself stays out of what every page loads first. */
const sorts = ["name", "created_at"] as const satisfies ProjectsListInput["sort"][];

/** What of the list of projects lives in its address. */
export interface ProjectsSearch {
  q?: string;
  sort?: ProjectsListInput["sort"];
  order?: "asc" | "desc";
  cursor?: string;
}

/** Whatever else an address says is left out. */
export function readProjectsSearch(search: Record<string, unknown>): ProjectsSearch {
  const { q, order, cursor } = search;
  const sort = sorts.find((name) => name === search["sort"]);
  return {
    // The router reads a name that is all digits as a number.
    ...(typeof q === "string" || typeof q === "number" ? { q: String(q) } : {}),
    ...(sort ? { sort } : {}),
    ...(order === "asc" || order === "desc" ? { order } : {}),
    ...(typeof cursor === "string" ? { cursor } : {}),
  };
}
