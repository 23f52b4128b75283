import { Badge, Text } from "@mantine/core";
import { files as texts } from "../../texts/files.js";
import { RelativeTime } from "../relative-time.js";
import { type FileWithState, type ShownState, useFileState } from "./file-state.js";

const colors: Record<ShownState, string> = {
  stored: "green",
  uploading: "yellow",
  // The default gray is too dark for the dark theme.
  unfinished: "gray.6",
  missing: "red",
  deleting: "red",
};

/** What an upload that was not finished leaves behind: when its URL expired, and the quota that it holds. */
export function Remains({ file }: { file: FileWithState & { reservedBytes: number } }) {
  if (useFileState(file) !== "unfinished") return null;
  return (
    <Text size="xs" c="dimmed">
      {texts.urlExpired} <RelativeTime at={file.urlExpiresAt} />, {texts.holds(file.reservedBytes)}
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
