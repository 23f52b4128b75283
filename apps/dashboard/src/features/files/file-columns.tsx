import { Group, Stack, Text } from "@mantine/core";
import type { DataTableColumn } from "mantine-datatable";
import { CopyButton } from "../../components/copy-button.js";
import { FileLink } from "../../components/file-link.js";
import { FileStatus } from "../../components/file-status.js";
import { formatBytes } from "../../components/format.js";
import { TenantLink } from "../../components/tenant-link.js";
import { unhide } from "../../components/given-text.js";
import { When } from "../../components/when.js";
import { files as texts } from "../../texts/files.js";
import type { Outputs } from "../../trpc.js";

export type ListedFile = Outputs["files"]["list"]["files"][number];

/** What a file takes, or was announced to take. */
function bytesOf(file: Pick<ListedFile, "sizeBytes" | "declaredSizeBytes">): number | null {
  return file.sizeBytes ?? file.declaredSizeBytes;
}

export function totalBytes(files: Pick<ListedFile, "sizeBytes" | "declaredSizeBytes">[]): number {
  return files.reduce((sum, file) => sum + (bytesOf(file) ?? 0), 0);
}

const sizeOf = (file: ListedFile) => {
  const bytes = bytesOf(file);
  return bytes === null ? texts.sizeUnknown : formatBytes(bytes);
};

const wide = { visibleMediaQuery: "(min-width: 48em)" };

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
          <Group gap="xs" hiddenFrom="sm">
            <FileStatus status={file.status} size="sm" />
            <Text size="sm" c="dimmed">
              {sizeOf(file)} · <When at={file.createdAt} />
            </Text>
          </Group>
        </Stack>
      ),
    },
    {
      ...wide,
      accessor: "tenantId",
      title: texts.tenant,
      render: ({ tenantId }) => (
        <TenantLink projectRef={projectRef} tenantId={tenantId} lineClamp={2} size="sm" />
      ),
    },
    {
      ...wide,
      accessor: "status",
      title: texts.status,
      width: 150,
      render: ({ status }) => <FileStatus status={status} />,
    },
    {
      ...wide,
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
      ...wide,
      accessor: "size",
      title: texts.size,
      sortable: true,
      textAlign: "right",
      width: 110,
      noWrap: true,
      render: sizeOf,
    },
    {
      ...wide,
      accessor: "created_at",
      title: texts.created,
      sortable: true,
      width: 140,
      noWrap: true,
      render: ({ createdAt }) => <When at={createdAt} />,
    },
  ];
}
