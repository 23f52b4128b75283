import { Button, Group, Stack, Title } from "@mantine/core";
import { IconListSearch } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Empty } from "../../components/empty.js";
import { fileColumns } from "../../components/files/file-columns.js";
import type { FileOrder } from "../../components/files/file-order.js";
import { FileTable } from "../../components/files/file-table.js";
import { unhide } from "../../components/given-text.js";
import { type Change, changeSearch } from "../../components/list-search.js";
import { Loaded } from "../../components/loaded.js";
import { tenants as texts } from "../../texts/tenants.js";
import { trpc } from "../../trpc.js";

/** So many that what stands below them is still found. */
const FILES = 10;

/** A tenant's files, the newest first unless the address says otherwise; to search and delete them is for the list of all files. */
export function TenantFiles({ projectRef, tenantId }: { projectRef: string; tenantId: string }) {
  const search = useSearch({ from: "/signed-in/projects/$projectRef/tenants/$tenantId" });
  const navigate = useNavigate({ from: "/projects/$projectRef/tenants/$tenantId" });
  const query = trpc.files.list.useQuery(
    { projectRef, tenantId, limit: FILES, ...search },
    { placeholderData: keepPreviousData },
  );
  const { name, status, size, created } = fileColumns(projectRef);
  const go = (change: Change<FileOrder>) =>
    void navigate({
      search: (now) => changeSearch<FileOrder>(now, change),
      // It is a part of the page that changes, and whoever pages stays with it.
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
            <Link to="/projects/$projectRef/files" params={{ projectRef }} search={{ tenantId }} {...props} />
          )}
        >
          {texts.searchFiles}
        </Button>
      </Group>
      <Loaded query={query}>
        {({ files, nextCursor }) =>
          files.length === 0 && nextCursor === null && search.cursor === undefined ? (
            <Empty title={texts.noFiles} />
          ) : (
            <FileTable
              label={texts.filesOf(unhide(tenantId))}
              columns={[name, status, size, created]}
              files={files}
              nextCursor={nextCursor}
              search={search}
              pageSize={FILES}
              isFetching={query.isPlaceholderData}
              onSort={go}
              onGo={(cursor) => go({ cursor })}
            />
          )
        }
      </Loaded>
    </Stack>
  );
}
