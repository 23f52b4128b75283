import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { trpc } from "../trpc.js";

/** A search starts when the user has not typed for this long. */
export const SEARCH_DELAY_MS = 200;
/** So many projects are searched in the browser. With more, the service searches. */
const LOADED = 50;

/** Finds the operator's projects whose name contains a text. */
export function useFindProjects(query: string) {
  const text = query.trim();
  const [delayed] = useDebouncedValue(text, SEARCH_DELAY_MS);
  const first = trpc.projects.list.useQuery({ sort: "name", limit: LOADED });
  const isComplete = first.data?.nextCursor === null;
  const searched = trpc.projects.list.useQuery(
    { sort: "name", limit: LOADED, q: delayed },
    {
      enabled: delayed !== "" && !isComplete && first.isSuccess,
      placeholderData: keepPreviousData,
      trpc: { abortOnUnmount: true },
    },
  );
  const isSearching = text !== "" && !isComplete;
  const { data, error } = isSearching ? searched : first;
  const found = data?.projects ?? [];
  return {
    projects: isSearching
      ? found
      : found.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())),
    error,
    isFetching: isSearching ? searched.isFetching || delayed !== text : first.isLoading,
  };
}
