import { IconHistory } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy } from "react";
import { AuditList } from "../../components/audit-list.js";
import { ExportButton } from "../../components/export-button.js";
import { EmptyState } from "../../components/empty-state.js";
import { FilterBar } from "../../components/filter-bar.js";
import { type Change, changeSearch } from "../../components/list-search.js";
import { Loaded } from "../../components/loaded.js";
import { OwnersOnly } from "../../components/owners-only.js";
import { Page } from "../../components/page.js";
import { useContinuedSearch } from "../../components/use-continued-search.js";
import { hasRole, useProject, useProjectRef } from "../../components/use-project.js";
import { audit as texts } from "../../components/audit-texts.js";
import { loadChunk } from "../../load-chunk.js";
import { trpc } from "../../trpc.js";
import type { AuditSearch } from "./audit-search.js";

// Lazy because calendars and selects are large.
const AuditFilters = lazy(async () => ({
  default: (await loadChunk(() => import("./audit-filters.js"))).AuditFilters,
}));

/** The audit log of a project, newest entry first. Filters and page come from the search parameters. */
export function AuditPage() {
  const projectRef = useProjectRef();
  const search = useSearch({ from: "/signed-in/projects/$projectRef/audit" });
  const { data: project } = useProject();
  const isOwner = project !== undefined && hasRole(project.role, "owner");
  return (
    <Page
      title={texts.title}
      hint={texts.hint}
      actions={isOwner && <ExportButton list="audit" query={{ projectRef, ...search }} />}
    >
      <OwnersOnly reason={texts.ownersOnly}>
        {() => <Entries projectRef={projectRef} search={search} />}
      </OwnersOnly>
    </Page>
  );
}

function Entries({ projectRef, search }: { projectRef: string; search: AuditSearch }) {
  const navigate = useNavigate({ from: "/projects/$projectRef/audit" });
  const query = trpc.audit.list.useQuery({ projectRef, ...search }, { placeholderData: keepPreviousData });
  const go = (change: Change<AuditSearch>, replace = false) =>
    void navigate({ search: (now) => changeSearch<AuditSearch>(now, change), replace });
  const page = query.isPlaceholderData ? undefined : query.data;
  const isContinuing = useContinuedSearch(page && { ...page, count: page.lines.length }, (cursor) =>
    go({ cursor }, true),
  );
  const { q, cursor, ...filters } = search;
  const filterCount = Object.values(filters).filter((value) => value !== undefined).length;
  const isEmpty = page?.lines.length === 0 && !q && filterCount === 0 && cursor === undefined;
  if (isEmpty)
    return <EmptyState icon={<IconHistory size={20} />} title={texts.none} hint={texts.noneHint} />;
  return (
    <>
      <FilterBar
        searchLabel={texts.search}
        q={q}
        onSearch={(q) => go({ q }, Boolean(q) && search.q !== undefined)}
        filterCount={filterCount}
        onClear={() => void navigate({ search: {} })}
      >
        <AuditFilters projectRef={projectRef} search={search} onChange={go} />
      </FilterBar>
      <Loaded query={query}>
        {({ lines, previousCursor, nextCursor }) => (
          <AuditList
            lines={lines}
            pages={{ cursor, previousCursor, nextCursor, onCursorChange: (cursor) => go({ cursor }) }}
            isFetching={query.isPlaceholderData || isContinuing}
          />
        )}
      </Loaded>
    </>
  );
}
