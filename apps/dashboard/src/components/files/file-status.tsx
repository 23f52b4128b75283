import { Badge, Text } from "@mantine/core";
import { files as texts } from "./files-texts.js";
import { RelativeTime } from "../relative-time.js";
import { type FileWithState, type ShownState, useFileState } from "./file-state.js";
import { type FileWithParts, UploadProgress } from "./upload-progress.js";

const colors: Record<ShownState, string> = {
  stored: "green",
  uploading: "yellow",
  // The default gray is too dark for the dark theme.
  unfinished: "gray.6",
  missing: "red",
  trashed: "gray.6",
  deleting: "red",
};

/**
 * What there is to know about an upload that is not stored. While parts can arrive: those that are stored, and when the upload ends.
 * Afterwards: when it ended, and the quota that it holds.
 */
export function UploadNote({ file }: { file: FileWithParts & { reservedBytes: number } }) {
  const state = useFileState(file);
  const { parts, urlExpiresAt } = file;
  if (state === "uploading" && parts !== null)
    return (
      <UploadProgress file={file} size="xs">
        {texts.endsAt} <RelativeTime at={urlExpiresAt} />
      </UploadProgress>
    );
  if (state !== "unfinished") return null;
  return (
    <Text size="xs" c="dimmed">
      {parts === null ? texts.urlExpired : texts.byPartsEnded} <RelativeTime at={urlExpiresAt} />,{" "}
      {texts.holds(file.reservedBytes)}
    </Text>
  );
}

interface FileWithLifecycle {
  status: string;
  expiresAt: string | null;
  purgeAt: string | null;
  isHeld: boolean;
}

/** When a stored file expires, when a file in the trash is removed for good, or that a hold keeps the file. */
export function LifecycleNote({ file }: { file: FileWithLifecycle }) {
  const { status, expiresAt, purgeAt, isHeld } = file;
  if (isHeld)
    return (
      <Text size="xs" c="dimmed">
        {texts.onHold}
      </Text>
    );
  const end = purgeAt ?? (status === "stored" ? expiresAt : null);
  if (end === null) return null;
  return (
    <Text size="xs" c="dimmed">
      {purgeAt === null ? texts.expires : texts.purged} <RelativeTime at={end} />
    </Text>
  );
}

/** A file's state. Only the dot is coloured, so that the text keeps its contrast. */
export function FileStatus({ file }: { file: FileWithState }) {
  const state = useFileState(file);
  return (
    <Badge variant="dot" color={colors[state]}>
      {texts.states[state]}
    </Badge>
  );
}
