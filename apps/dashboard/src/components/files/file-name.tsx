import { Box, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { RelativeTime } from "../relative-time.js";
import { TenantLink } from "../tenant-link.js";
import { FileIcon } from "./file-icon.js";
import { FileLink } from "./file-link.js";
import { bytesOf, sizeOf } from "./file-size.js";
import { FileStatus, LifecycleNote, UploadNote } from "./file-status.js";
import type { ListedFile } from "./listed-file.js";
import { ScanNote } from "./scan-badge.js";

/** A file's name with a link to its page. On phones, where the other columns are hidden, also tenant, state, size and time. */
export function FileName(props: {
  projectRef: string;
  file: ListedFile;
  /** Whether the list is about one tenant, so that the tenant is not named. @default false */
  ofOneTenant?: boolean;
  /** Shown at the right of the name. */
  action?: ReactNode;
}) {
  const { projectRef, file, ofOneTenant = false, action } = props;
  const size = bytesOf(file) === null ? null : `${sizeOf(file)} · `;
  return (
    <Group gap="xs" wrap="nowrap">
      <FileIcon file={file} />
      <Box flex={1} miw={0}>
        <Group gap="xs" wrap="nowrap">
          <Box flex={1} miw={0}>
            <FileLink projectRef={projectRef} file={file} />
          </Box>
          {action}
        </Group>
        <Box hiddenFrom="sm" fz="sm" c="dimmed">
          {!ofOneTenant && <TenantLink projectRef={projectRef} tenantId={file.tenantId} fz="sm" c="dimmed" />}
          <Group gap="xs">
            <FileStatus file={file} />
            <span>
              {size}
              <RelativeTime at={file.createdAt} />
            </span>
          </Group>
          <UploadNote file={file} />
          <LifecycleNote file={file} />
          <ScanNote file={file} />
        </Box>
      </Box>
    </Group>
  );
}
