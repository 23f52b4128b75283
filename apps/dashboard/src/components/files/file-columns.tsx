import { Box } from "@mantine/core";
import type { DataTableColumn } from "mantine-datatable";
import { files as texts } from "./files-texts.js";
import { CopyButton } from "../copy-button.js";
import { flexible, hiddenOnPhones } from "../data-list.js";
import { RelativeTime } from "../relative-time.js";
import { TenantLink } from "../tenant-link.js";
import { Truncated } from "../truncated.js";
import { replaceControlCharacters } from "../untrusted-text.js";
import { FileName } from "./file-name.js";
import type { ListedFile } from "./listed-file.js";
import { sizeOf } from "./file-size.js";
import { FileStatus, LifecycleNote, UploadNote } from "./file-status.js";
import { ScanNote } from "./scan-badge.js";

/**
 * The columns of lists of files. A sortable column's `accessor` is the name of the sort order in the service's calls.
 *
 * @param options.ofOneTenant whether all files belong to one tenant, so that no row names it
 */
export function fileColumns(projectRef: string, { ofOneTenant = false } = {}) {
  return {
    name: {
      ...flexible,
      accessor: "filename",
      title: texts.name,
      render: (file) => (
        <FileName
          projectRef={projectRef}
          file={file}
          ofOneTenant={ofOneTenant}
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
        <Box maw="14rem">
          <TenantLink projectRef={projectRef} tenantId={tenantId} size="sm" />
        </Box>
      ),
    },
    status: {
      ...hiddenOnPhones,
      accessor: "status",
      title: texts.status,
      noWrap: true,
      render: (file) => (
        <>
          <FileStatus file={file} />
          <UploadNote file={file} />
          <LifecycleNote file={file} />
          <ScanNote file={file} />
        </>
      ),
    },
    kind: {
      ...hiddenOnPhones,
      accessor: "contentType",
      title: texts.kind,
      render: ({ contentType }) => (
        <Box maw="10rem">
          <Truncated text={contentType}>{contentType}</Truncated>
        </Box>
      ),
    },
    size: {
      ...hiddenOnPhones,
      accessor: "size",
      title: texts.size,
      textAlign: "right",
      noWrap: true,
      render: sizeOf,
    },
    created: {
      ...hiddenOnPhones,
      accessor: "created_at",
      title: texts.created,
      noWrap: true,
      render: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  } satisfies Record<string, DataTableColumn<ListedFile>>;
}
