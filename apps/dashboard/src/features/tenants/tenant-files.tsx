import { Button, Group, Stack, Title } from "@mantine/core";
import { IconListSearch } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { EmptyState } from "../../components/empty-state.js";
import { fileColumns } from "../../components/files/file-columns.js";
import type { TenantFilesSearch } from "../../components/files/file-list-search.js";
import { untilNextChange } from "../../components/files/file-state.js";
import { FileTable } from "../../components/files/file-table.js";
import { replaceControlCharacters } from "../../components/untrusted-text.js";
import { type Change, changeSearch } from "../../components/list-search.js";
import { Loaded } from "../../components/loaded.js";
import { TenantFolders } from "./tenant-folders.js";
import { tenants as texts } from "./tenants-texts.js";
import { trpc } from "../../trpc.js";

/** Small, so that the usage chart below the list stays close to the top. */
const PAGE_SIZE = 10;

/** A tenant's files, without filters and deletion. The button opens the list of all files with these features. */
export function TenantFiles({ projectRef, tenantId }: { projectRef: string; tenantId: string }) {
  const search = useSearch({ from: "/signed-in/projects/$projectRef/tenants/$tenantId" });
  const navigate = useNavigate({ from: "/projects/$projectRef/tenants/$tenantId" });
  const query = trpc.files.list.useQuery(
    { projectRef, tenantId, limit: PAGE_SIZE, ...search },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => untilNextChange(state.data?.files ?? [], Date.now()),
    },
  );
  const { name, status, size, created } = fileColumns(projectRef, { ofOneTenant: true });
  const go = (change: Change<TenantFilesSearch>) =>
    void navigate({
      search: (now) => changeSearch<TenantFilesSearch>(now, change),
      // The list is only a part of the page, so paging must not scroll to the top.
      resetScroll: false,
    });
  return (
    <Stack gap="sm" component="section" aria-label={texts.files}>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {texts.files}
        </Title>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconListSearch size={16} />}
          renderRoot={(props) => (
            <Link
              to="/projects/$projectRef/files"
              params={{ projectRef }}
              search={{ tenantId, ...(search.folder !== undefined && { folder: search.folder }) }}
              {...props}
            />
          )}
        >
          {texts.searchFiles}
        </Button>
      </Group>
      <TenantFolders
        projectRef={projectRef}
        tenantId={tenantId}
        folder={search.folder}
        onOpen={(folder) => go({ folder })}
      />
      <Loaded query={query}>
        {({ files, ...page }) =>
          !query.isPlaceholderData &&
          files.length === 0 &&
          page.nextCursor === null &&
          search.cursor === undefined ? (
            <EmptyState title={texts.noFiles} />
          ) : (
            <FileTable
              label={texts.filesOf(replaceControlCharacters(tenantId))}
              columns={[name, status, size, created]}
              files={files}
              {...page}
              search={search}
              pageSize={PAGE_SIZE}
              isFetching={query.isPlaceholderData}
              onSort={go}
              onCursorChange={(cursor) => go({ cursor })}
            />
          )
        }
      </Loaded>
    </Stack>
  );
}
