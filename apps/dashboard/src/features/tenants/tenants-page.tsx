import { Box } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type Column, DataList } from "../../components/data-list.js";
import { EmptyState } from "../../components/empty-state.js";
import { formatCount } from "../../components/format.js";
import { ExportButton } from "../../components/export-button.js";
import { type Change, changeSearch } from "../../components/list-search.js";
import { Loaded } from "../../components/loaded.js";
import { Page } from "../../components/page.js";
import { SearchInput } from "../../components/search-input.js";
import { TenantLink } from "../../components/tenant-link.js";
import { useContinuedSearch } from "../../components/use-continued-search.js";
import { useProjectRef } from "../../components/use-project.js";
import { RelativeTime } from "../../components/relative-time.js";
import { tenants as texts } from "./tenants-texts.js";
import { type Outputs, trpc } from "../../trpc.js";
import { QuotaBar } from "./quota-bar.js";
import { tenantOrders, type TenantsSearch } from "./tenants-search.js";

type Tenant = Outputs["tenants"]["list"]["tenants"][number];

/** The tenants of a project. Search, sort order and page come from the search parameters. */
export function TenantsPage() {
  const projectRef = useProjectRef();
  const search = useSearch({ from: "/signed-in/projects/$projectRef/tenants" });
  const navigate = useNavigate({ from: "/projects/$projectRef/tenants" });
  const sort = search.sort ?? "used_bytes";
  const query = trpc.tenants.list.useQuery(
    { projectRef, ...search, sort },
    { placeholderData: keepPreviousData },
  );
  const count = trpc.tenants.count.useQuery(
    { projectRef, q: search.q },
    { placeholderData: keepPreviousData },
  );
  const go = (change: Change<TenantsSearch>, replace = false) =>
    void navigate({ search: (now) => changeSearch<TenantsSearch>(now, change), replace });
  const page = query.isPlaceholderData ? undefined : query.data;
  const isContinuing = useContinuedSearch(page && { ...page, count: page.tenants.length }, (cursor) =>
    go({ cursor }, true),
  );
  const isEmpty = page?.tenants.length === 0 && search.q === undefined && search.cursor === undefined;
  return (
    <Page
      title={texts.title}
      actions={!isEmpty && <ExportButton list="tenants" query={{ projectRef, ...search, sort }} />}
    >
      {!isEmpty && (
        <SearchInput label={texts.search} value={search.q ?? ""} onSearch={(q) => go({ q }, true)} />
      )}
      <Loaded query={query}>
        {({ tenants, previousCursor, nextCursor }) =>
          isEmpty ? (
            <EmptyState icon={<IconUsers size={20} />} title={texts.none} hint={texts.noneHint} />
          ) : (
            <DataList
              label={texts.title}
              columns={columnsOf(projectRef)}
              rows={tenants}
              rowKey="tenantId"
              isFetching={query.isPlaceholderData || isContinuing}
              orders={tenantOrders}
              sort={{ by: sort, order: search.order ?? tenantOrders[sort] }}
              onSort={({ by, order }) => go({ sort: by, order })}
              pages={{
                cursor: search.cursor,
                previousCursor,
                nextCursor,
                onCursorChange: (cursor) => go({ cursor }),
              }}
              total={count.data && texts.count(count.data)}
            />
          )
        }
      </Loaded>
    </Page>
  );
}

/** A sortable column's `id` is the name of the sort order in the service's calls. */
function columnsOf(projectRef: string): Column<Tenant>[] {
  return [
    {
      isFlexible: true,
      id: "tenant_id",
      title: texts.tenant,
      render: ({ tenantId }) => <TenantLink projectRef={projectRef} tenantId={tenantId} fz="sm" />,
    },
    {
      id: "used_bytes",
      title: texts.used,
      render: (tenant) => (
        <Box w={{ base: 150, sm: 240 }}>
          <QuotaBar {...tenant} />
        </Box>
      ),
    },
    {
      isHiddenOnPhones: true,
      id: "fileCount",
      title: texts.files,
      textAlign: "right",
      render: ({ fileCount }) => formatCount(fileCount),
    },
    {
      isHiddenOnPhones: true,
      id: "created_at",
      title: texts.since,
      noWrap: true,
      render: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  ];
}
