import { IconFiles } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy } from "react";
import { EmptyState } from "../../components/empty-state.js";
import { FilterBar } from "../../components/filter-bar.js";
import { ExportButton } from "../../components/export-button.js";
import { untilNextChange } from "../../components/files/file-state.js";
import { type Change, changeSearch } from "../../components/list-search.js";
import { Loaded } from "../../components/loaded.js";
import { Page } from "../../components/page.js";
import { useProjectRef } from "../../components/use-project.js";
import { files as texts } from "../../components/files/files-texts.js";
import { loadChunk } from "../../load-chunk.js";
import { trpc } from "../../trpc.js";
import { FileList } from "./file-list.js";
import { type FilesSearch, type FilterChange, filtersOf } from "./files-search.js";
import { StateViews, sumOf } from "./state-views.js";

// Lazy because calendars and selects are large.
const FilterPanel = lazy(async () => ({
  default: (await loadChunk(() => import("./filter-panel.js"))).FilterPanel,
}));

const noFilters = {
  q: undefined,
  tenantId: undefined,
  folder: undefined,
  states: undefined,
  kind: undefined,
  from: undefined,
  to: undefined,
} satisfies FilterChange;

/** The files of a project. Filters, sort order and page come from the search parameters. */
export function FilesPage() {
  const projectRef = useProjectRef();
  const search = useSearch({ from: "/signed-in/projects/$projectRef/files" });
  const navigate = useNavigate({ from: "/projects/$projectRef/files" });
  const query = trpc.files.list.useQuery(
    { projectRef, ...search },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => untilNextChange(state.data?.files ?? [], Date.now()),
    },
  );
  const filters = filtersOf(search);
  const { states: _, ...otherFilters } = filters;
  const { q: _q, ...panelFilters } = otherFilters;
  const counts = trpc.files.count.useQuery(
    { projectRef, ...otherFilters },
    {
      placeholderData: keepPreviousData,
      refetchInterval: () => untilNextChange(query.data?.files ?? [], Date.now()),
    },
  );
  const isEmpty =
    !query.isPlaceholderData &&
    query.data?.files.length === 0 &&
    query.data.nextCursor === null &&
    Object.keys(filters).length === 0 &&
    search.cursor === undefined;
  const go = (change: Change<FilesSearch>) =>
    void navigate({
      search: (now) => changeSearch<FilesSearch>(now, change),
      // Typing into the search field replaces the history entry, so that one step back undoes the whole search.
      replace: "q" in change && search.q !== undefined && Boolean(change.q),
    });
  return (
    <Page
      title={texts.title}
      actions={!isEmpty && <ExportButton list="files" query={{ projectRef, ...search }} />}
    >
      {!isEmpty && (
        <>
          <StateViews states={search.states} counts={counts.data} onChange={go} />
          <FilterBar
            searchLabel={texts.searchName}
            q={search.q}
            onSearch={(q) => go({ q })}
            filterCount={Object.keys(panelFilters).length}
            onClear={() => go(noFilters)}
          >
            <FilterPanel filters={filters} onChange={go} />
          </FilterBar>
        </>
      )}
      <Loaded query={query}>
        {({ files, ...page }) =>
          isEmpty ? (
            <EmptyState icon={<IconFiles size={20} />} title={texts.none} hint={texts.noneHint} />
          ) : (
            <FileList
              projectRef={projectRef}
              files={files}
              {...page}
              total={counts.data && texts.count(sumOf(counts.data, search.states))}
              search={search}
              isFetching={query.isPlaceholderData}
              onSort={go}
              onCursorChange={(cursor) => go({ cursor })}
            />
          )
        }
      </Loaded>
    </Page>
  );
}
