import { Group, Stack, Text } from "@mantine/core";
import type { DataTableColumn } from "mantine-datatable";
import { CopyButton } from "../../components/copy-button.js";
import { onlyWide } from "../../components/only-wide.js";
import { FileLink } from "../../components/file-link.js";
import { FileStatus } from "../../components/file-status.js";
import { FileSummary, sizeOf } from "../../components/file-summary.js";
import { TenantLink } from "../../components/tenant-link.js";
import { unhide } from "../../components/given-text.js";
import { When } from "../../components/when.js";
import { files as texts } from "../../texts/files.js";
import type { Outputs } from "../../trpc.js";

export type ListedFile = Outputs["files"]["list"]["files"][number];

/** Sorted by the service, by the names that it has for its orders. A phone has room for one column, which then says it all. */
export function fileColumns(projectRef: string): DataTableColumn<ListedFile>[] {
  return [
    {
      accessor: "filename",
      title: texts.name,
      sortable: true,
      render: (file) => (
        <Stack gap={2}>
          <Group gap={4} wrap="nowrap" justify="space-between">
            <FileLink projectRef={projectRef} file={file} lineClamp={2} size="sm" />
            <CopyButton value={file.path} what={texts.pathOf(unhide(file.filename))} />
          </Group>
          <FileSummary file={file} />
        </Stack>
      ),
    },
    {
      ...onlyWide,
      accessor: "tenantId",
      title: texts.tenant,
      render: ({ tenantId }) => (
        <TenantLink projectRef={projectRef} tenantId={tenantId} lineClamp={2} size="sm" />
      ),
    },
    {
      ...onlyWide,
      accessor: "status",
      title: texts.status,
      width: 150,
      render: ({ status }) => <FileStatus status={status} />,
    },
    {
      ...onlyWide,
      accessor: "contentType",
      title: texts.kind,
      width: 180,
      render: ({ contentType }) => (
        <Text size="sm" lineClamp={1} style={{ overflowWrap: "anywhere" }}>
          {contentType}
        </Text>
      ),
    },
    {
      ...onlyWide,
      accessor: "size",
      title: texts.size,
      sortable: true,
      textAlign: "right",
      width: 110,
      noWrap: true,
      render: sizeOf,
    },
    {
      ...onlyWide,
      accessor: "created_at",
      title: texts.created,
      sortable: true,
      width: 140,
      noWrap: true,
      render: ({ createdAt }) => <When at={createdAt} />,
    },
  ];
}
