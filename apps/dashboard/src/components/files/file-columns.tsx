import { Text } from "@mantine/core";
import type { DataTableColumn } from "mantine-datatable";
import { files as texts } from "../../texts/files.js";
import { CopyButton } from "../copy-button.js";
import { hiddenOnPhones } from "../data-list.js";
import { RelativeTime } from "../relative-time.js";
import { TenantLink } from "../tenant-link.js";
import { replaceControlCharacters } from "../untrusted-text.js";
import { FileName, type ListedFile } from "./file-name.js";
import { sizeOf } from "./file-size.js";
import { FileStatus, Remains } from "./file-status.js";

/** The columns of lists of files. A sortable column's `accessor` is the name of the sort order in the service's calls. */
export function fileColumns(projectRef: string) {
  return {
    name: {
      accessor: "filename",
      title: texts.name,
      render: (file) => (
        <FileName
          projectRef={projectRef}
          file={file}
          action={
            <CopyButton value={file.path} what={texts.pathOf(replaceControlCharacters(file.filename))} />
          }
        />
      ),
    },
    tenant: {
      ...hiddenOnPhones,
      accessor: "tenantId",
      title: texts.tenant,
      render: ({ tenantId }) => (
        <TenantLink projectRef={projectRef} tenantId={tenantId} lineClamp={2} size="sm" />
      ),
    },
    status: {
      ...hiddenOnPhones,
      accessor: "status",
      title: texts.status,
      width: 170,
      render: (file) => (
        <>
          <FileStatus file={file} />
          <Remains file={file} />
        </>
      ),
    },
    kind: {
      ...hiddenOnPhones,
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
      ...hiddenOnPhones,
      accessor: "size",
      title: texts.size,
      textAlign: "right",
      width: 110,
      noWrap: true,
      render: sizeOf,
    },
    created: {
      ...hiddenOnPhones,
      accessor: "created_at",
      title: texts.created,
      width: 140,
      noWrap: true,
      render: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  } satisfies Record<string, DataTableColumn<ListedFile>>;
}
