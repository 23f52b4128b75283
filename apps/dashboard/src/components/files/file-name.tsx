import { Anchor, Box, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Outputs } from "../../trpc.js";
import { RelativeTime } from "../relative-time.js";
import { UntrustedText } from "../untrusted-text.js";
import { FileIcon } from "./file-icon.js";
import { bytesOf, sizeOf } from "./file-size.js";
import { FileStatus } from "./file-status.js";

export type ListedFile = Outputs["files"]["list"]["files"][number];

/** A file's name with a link to its page. On phones, where the other columns are hidden, also status, size and time. */
export function FileName(props: {
  projectRef: string;
  file: ListedFile;
  /** Shown at the right of the name. */
  action?: ReactNode;
}) {
  const { projectRef, file, action } = props;
  const size = bytesOf(file) === null ? null : `${sizeOf(file)} · `;
  return (
    <Stack gap={2}>
      <Group gap="xs" wrap="nowrap">
        <FileIcon file={file} />
        <Box flex={1} miw={0}>
          <FileLink projectRef={projectRef} file={file} />
        </Box>
        {action}
      </Group>
      <Group gap="xs" hiddenFrom="sm">
        <FileStatus file={file} size="sm" />
        <Text size="sm" c="dimmed">
          {size}
          <RelativeTime at={file.createdAt} />
        </Text>
      </Group>
    </Stack>
  );
}

function FileLink({ projectRef, file }: { projectRef: string; file: ListedFile }) {
  return (
    <Anchor
      lineClamp={2}
      size="sm"
      renderRoot={(props) => (
        <Link
          to="/projects/$projectRef/files/$fileId"
          params={{ projectRef, fileId: String(file.id) }}
          {...props}
        />
      )}
    >
      <UntrustedText text={file.filename} />
    </Anchor>
  );
}
