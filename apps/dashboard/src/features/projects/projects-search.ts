import type { ProjectsListInput } from "@stowage/schemas/dashboard";
import { type ListSearch, type Orders, readListSearch } from "../../components/list-search.js";

/** The schema itself stays out of what every page loads first. */
export const projectOrders: Orders<ProjectsListInput["sort"]> = { name: "asc", created_at: "desc" };

/** What of the list of projects lives in its address. */
export type ProjectsSearch = ListSearch<ProjectsListInput["sort"]>;

export const readProjectsSearch = (search: Record<string, unknown>): ProjectsSearch =>
  readListSearch(search, projectOrders);
