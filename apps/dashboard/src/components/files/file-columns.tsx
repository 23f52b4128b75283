import { Box } from "@mantine/core";
import { files as texts } from "./files-texts.js";
import { CopyButton } from "../copy-button.js";
import type { Column } from "../data-list.js";
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
 * The columns of lists of files. A sortable column's `id` is the name of the sort order in the service's calls.
 *
 * @param options.ofOneTenant whether all files belong to one tenant, so that no row names it
 */
export function fileColumns(projectRef: string, { ofOneTenant = false } = {}) {
  return {
    name: {
      isFlexible: true,
      id: "filename",
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
      isHiddenOnPhones: true,
      id: "tenantId",
      title: texts.tenant,
      render: ({ tenantId }) => (
        <Box maw="14rem">
          <TenantLink projectRef={projectRef} tenantId={tenantId} size="sm" />
        </Box>
      ),
    },
    status: {
      isHiddenOnPhones: true,
      id: "status",
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
      isHiddenOnPhones: true,
      id: "contentType",
      title: texts.kind,
      render: ({ contentType }) => (
        <Box maw="10rem">
          <Truncated text={contentType}>{contentType}</Truncated>
        </Box>
      ),
    },
    size: {
      isHiddenOnPhones: true,
      id: "size",
      title: texts.size,
      textAlign: "right",
      noWrap: true,
      render: sizeOf,
    },
    created: {
      isHiddenOnPhones: true,
      id: "created_at",
      title: texts.created,
      noWrap: true,
      render: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  } satisfies Record<string, Column<ListedFile>>;
}
