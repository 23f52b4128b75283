import type { ProjectsListInput } from "@stowage/operator-schemas";
import { listParams, type Orders } from "../../components/list-search.js";
import { type SearchOf, searchParams, text } from "../../components/search-params.js";

export const projectOrders: Orders<ProjectsListInput["sort"]> = { name: "asc", created_at: "desc" };

export const validateProjectsSearch = searchParams({ q: text, ...listParams(projectOrders) });
export type ProjectsSearch = SearchOf<typeof validateProjectsSearch>;
