import { Badge, type BadgeProps } from "@mantine/core";
import type { FileStatus as Status } from "@stowage/schemas";
import { files } from "../../texts/files.js";

const colors: Record<Status, string> = {
  pending: "yellow",
  stored: "green",
  // The default gray is too dark for the dark theme.
  expired: "gray.6",
  deleting: "red",
};

/** A file's status. Only the dot is coloured, so that the text keeps its contrast. */
export function FileStatus({ status, ...badge }: { status: Status } & BadgeProps) {
  return (
    <Badge variant="dot" color={colors[status]} fw={500} {...badge}>
      {files.statuses[status]}
    </Badge>
  );
}
