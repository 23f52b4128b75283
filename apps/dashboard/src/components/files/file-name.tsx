import { Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Outputs } from "../../trpc.js";
import { When } from "../when.js";
import { FileLink } from "./file-link.js";
import { bytesOf, sizeOf } from "./file-size.js";
import { FileStatus } from "./file-status.js";

export type ListedFile = Outputs["files"]["list"]["files"][number];

/** A file's name in a list. A phone has room for this column alone, so there it says what the others do. */
export function FileName(props: {
  projectRef: string;
  file: ListedFile;
  /** Stands at the end of the name's line. */
  action?: ReactNode;
}) {
  const { projectRef, file, action } = props;
  const size = bytesOf(file) === null ? null : `${sizeOf(file)} · `;
  return (
    <Stack gap={2}>
      <Group gap={4} wrap="nowrap" justify="space-between">
        <FileLink projectRef={projectRef} file={file} lineClamp={2} size="sm" />
        {action}
      </Group>
      <Group gap="xs" hiddenFrom="sm">
        <FileStatus status={file.status} size="sm" />
        <Text size="sm" c="dimmed">
          {size}
          <When at={file.createdAt} />
        </Text>
      </Group>
    </Stack>
  );
}
