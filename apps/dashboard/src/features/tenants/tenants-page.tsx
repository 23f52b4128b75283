import { Box } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { DataTableColumn } from "mantine-datatable";
import { DataList } from "../../components/data-list.js";
import { onlyWide } from "../../components/only-wide.js";
import { Empty } from "../../components/empty.js";
import { formatCount } from "../../components/format.js";
import { ExportButton } from "../../components/export-button.js";
import { type Change, changeSearch } from "../../components/list-search.js";
import { Loaded } from "../../components/loaded.js";
import { Page } from "../../components/page.js";
import { SearchInput } from "../../components/search-input.js";
import { TenantLink } from "../../components/tenant-link.js";
import { useProjectRef } from "../../components/use-project.js";
import { useSearchOn } from "./use-search-on.js";
import { When } from "../../components/when.js";
import { tenants as texts } from "../../texts/tenants.js";
import { type Outputs, trpc } from "../../trpc.js";
import { QuotaBar } from "./quota-bar.js";
import { tenantOrders, type TenantsSearch } from "./tenants-search.js";

type Tenant = Outputs["tenants"]["list"]["tenants"][number];

/** All tenants of a project: searched, sorted, a page at a time, as the address says. */
export function TenantsPage() {
  const projectRef = useProjectRef();
  const search = useSearch({ from: "/signed-in/projects/$projectRef/tenants" });
  const navigate = useNavigate({ from: "/projects/$projectRef/tenants" });
  const sort = search.sort ?? "used_bytes";
  const query = trpc.tenants.list.useQuery(
    { projectRef, ...search, sort },
    { placeholderData: keepPreviousData },
  );
  const go = (change: Change<TenantsSearch>, replace = false) =>
    void navigate({ search: (now) => changeSearch<TenantsSearch>(now, change), replace });
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
      actions={!isEmpty && <ExportButton list="tenants" query={{ projectRef, ...search, sort }} />}
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
              orders={tenantOrders}
              sort={{ by: sort, order: search.order ?? tenantOrders[sort] }}
              onSort={({ by, order }) => go({ sort: by, order })}
              cursor={search.cursor}
              nextCursor={nextCursor}
              onGo={(cursor) => go({ cursor })}
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
      render: ({ tenantId }) => (
        <Box miw={{ base: 100, sm: 140 }} style={{ overflowWrap: "anywhere" }}>
          <TenantLink projectRef={projectRef} tenantId={tenantId} fz="sm" />
        </Box>
      ),
    },
    {
      accessor: "used_bytes",
      title: texts.use,
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
      noWrap: true,
      render: ({ createdAt }) => <When at={createdAt} />,
    },
  ];
}
