import { Text } from "@mantine/core";
import type { DataTableColumn } from "mantine-datatable";
import { files as texts } from "../../texts/files.js";
import { CopyButton } from "../copy-button.js";
import { unhide } from "../given-text.js";
import { onlyWide } from "../only-wide.js";
import { TenantLink } from "../tenant-link.js";
import { When } from "../when.js";
import { FileName, type ListedFile } from "./file-name.js";
import { sizeOf } from "./file-size.js";
import { FileStatus } from "./file-status.js";

/** What lists of files have columns for. Those that the service sorts by have the names that it has for its orders. */
export function fileColumns(projectRef: string) {
  return {
    name: {
      accessor: "filename",
      title: texts.name,
      render: (file) => (
        <FileName
          projectRef={projectRef}
          file={file}
          action={<CopyButton value={file.path} what={texts.pathOf(unhide(file.filename))} />}
        />
      ),
    },
    tenant: {
      ...onlyWide,
      accessor: "tenantId",
      title: texts.tenant,
      render: ({ tenantId }) => (
        <TenantLink projectRef={projectRef} tenantId={tenantId} lineClamp={2} size="sm" />
      ),
    },
    status: {
      ...onlyWide,
      accessor: "status",
      title: texts.status,
      width: 150,
      render: ({ status }) => <FileStatus status={status} />,
    },
    kind: {
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
    size: {
      ...onlyWide,
      accessor: "size",
      title: texts.size,
      textAlign: "right",
      width: 110,
      noWrap: true,
      render: sizeOf,
    },
    created: {
      ...onlyWide,
      accessor: "created_at",
      title: texts.created,
      width: 140,
      noWrap: true,
      render: ({ createdAt }) => <When at={createdAt} />,
    },
  } satisfies Record<string, DataTableColumn<ListedFile>>;
}
