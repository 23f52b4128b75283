import { Group, Text } from "@mantine/core";
import type { FileStatus as Status } from "@stowage/schemas";
import { files as texts } from "../texts/files.js";
import { FileStatus } from "./file-status.js";
import { formatBytes } from "./format.js";
import { When } from "./when.js";

interface Sized {
  sizeBytes: number | null;
  declaredSizeBytes: number | null;
}

/** What a file takes, or was announced to take. */
function bytesOf(file: Sized): number | null {
  return file.sizeBytes ?? file.declaredSizeBytes;
}

export function totalBytes(files: Sized[]): number {
  return files.reduce((sum, file) => sum + (bytesOf(file) ?? 0), 0);
}

export function sizeOf(file: Sized): string {
  const bytes = bytesOf(file);
  return bytes === null ? texts.sizeUnknown : formatBytes(bytes);
}

/** Below a file's name on a phone, which has room for one column: what the others say. */
export function FileSummary({ file }: { file: Sized & { status: Status; createdAt: string } }) {
  const size = bytesOf(file) === null ? null : `${sizeOf(file)} · `;
  return (
    <Group gap="xs" hiddenFrom="sm">
      <FileStatus status={file.status} size="sm" />
      <Text size="sm" c="dimmed">
        {size}
        <When at={file.createdAt} />
      </Text>
    </Group>
  );
}
