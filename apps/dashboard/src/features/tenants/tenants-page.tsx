import { Box, Button } from "@mantine/core";
import { IconFileTypeCsv } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { DataTableColumn } from "mantine-datatable";
import { DataList } from "../../components/data-list.js";
import { onlyWide } from "../../components/only-wide.js";
import { Empty } from "../../components/empty.js";
import { formatCount } from "../../components/format.js";
import { Loaded } from "../../components/loaded.js";
import { Page } from "../../components/page.js";
import { SearchInput } from "../../components/search-input.js";
import { TenantLink } from "../../components/tenant-link.js";
import { useProjectRef } from "../../components/use-project.js";
import { useSearchOn } from "./use-search-on.js";
import { When } from "../../components/when.js";
import { common } from "../../texts/common.js";
import { tenants as texts } from "../../texts/tenants.js";
import { type Outputs, trpc } from "../../trpc.js";
import { QuotaBar } from "./quota-bar.js";
import type { TenantsSearch } from "./tenants-search.js";

type TenantsSort = NonNullable<TenantsSearch["sort"]>;
type Tenant = Outputs["tenants"]["list"]["tenants"][number];

/** All tenants of a project: searched, sorted, a page at a time, as the address says. */
export function TenantsPage() {
  const projectRef = useProjectRef();
  const search = useSearch({ from: "/signed-in/projects/$projectRef/tenants" });
  const navigate = useNavigate({ from: "/projects/$projectRef/tenants" });
  const query = trpc.tenants.list.useQuery(
    { projectRef, sort: "used_bytes", ...search },
    { placeholderData: keepPreviousData },
  );
  const go = (change: TenantsSearch, replace = false) =>
    void navigate({ search: ({ cursor: _, ...now }) => withoutEmpty({ ...now, ...change }), replace });
  const page = query.isPlaceholderData ? undefined : query.data;
  const isSearchingOn = useSearchOn(
    page && { count: page.tenants.length, nextCursor: page.nextCursor },
    (cursor) => go({ cursor }, true),
  );
  const isEmpty = page?.tenants.length === 0 && search.q === undefined && search.cursor === undefined;
  return (
    <Page
      title={texts.title}
      hint={texts.hint}
      actions={
        !isEmpty && (
          <Button
            variant="default"
            component="a"
            href={csvUrl(projectRef, search)}
            download
            leftSection={<IconFileTypeCsv size={16} />}
          >
            {common.asCsv}
          </Button>
        )
      }
    >
      {!isEmpty && (
        <SearchInput label={texts.search} value={search.q ?? ""} onSearch={(q) => go({ q }, true)} />
      )}
      <Loaded query={query}>
        {({ tenants, nextCursor }) =>
          isEmpty ? (
            <Empty title={texts.none} hint={texts.noneHint} />
          ) : (
            <DataList
              label={texts.title}
              columns={columnsOf(projectRef)}
              rows={tenants}
              rowKey="tenantId"
              isFetching={query.isPlaceholderData || isSearchingOn}
              sort={{ by: search.sort ?? "used_bytes", order: search.order ?? "desc" }}
              onSort={({ by, order }) => go(sortedBy(search, by as TenantsSort, order))}
              cursor={search.cursor}
              nextCursor={nextCursor}
              onGo={(cursor) => go(cursor === undefined ? {} : { cursor })}
            />
          )
        }
      </Loaded>
    </Page>
  );
}

/** Sorted by the service, by the names that it has for its orders. */
function columnsOf(projectRef: string): DataTableColumn<Tenant>[] {
  return [
    {
      accessor: "tenant_id",
      title: texts.tenant,
      sortable: true,
      render: ({ tenantId }) => (
        <Box miw={{ base: 100, sm: 140 }} style={{ overflowWrap: "anywhere" }}>
          <TenantLink projectRef={projectRef} tenantId={tenantId} fz="sm" />
        </Box>
      ),
    },
    {
      accessor: "used_bytes",
      title: texts.use,
      sortable: true,
      render: (tenant) => (
        <Box w={{ base: 150, sm: 240 }}>
          <QuotaBar {...tenant} />
        </Box>
      ),
    },
    {
      ...onlyWide,
      accessor: "fileCount",
      title: texts.files,
      textAlign: "right",
      render: ({ fileCount }) => formatCount(fileCount),
    },
    {
      ...onlyWide,
      accessor: "created_at",
      title: texts.since,
      sortable: true,
      noWrap: true,
      render: ({ createdAt }) => <When at={createdAt} />,
    },
  ];
}

/** Where the whole list that is shown is read as CSV: all pages of it. */
function csvUrl(projectRef: string, { cursor: _, ...search }: TenantsSearch): string {
  const query = new URLSearchParams({ projectRef, sort: "used_bytes", ...search });
  return `/dashboard/export/tenants.csv?${query}`;
}

/** Another column begins as people expect: names with A, all else with the newest or the largest. */
function sortedBy(now: TenantsSearch, sort: TenantsSort, order: "asc" | "desc"): TenantsSearch {
  const usual = sort === "tenant_id" ? "asc" : "desc";
  return { sort, order: sort === (now.sort ?? "used_bytes") ? order : usual };
}

/** An address says nothing that it would also mean without. */
function withoutEmpty({ q, ...search }: TenantsSearch): TenantsSearch {
  return q ? { q, ...search } : search;
}
