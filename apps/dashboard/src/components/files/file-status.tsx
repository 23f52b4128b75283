import { Badge, type BadgeProps } from "@mantine/core";
import type { FileStatus as Status } from "@stowage/schemas";
import { files } from "../../texts/files.js";

const colors: Record<Status, string> = {
  pending: "yellow",
  stored: "green",
  // Seen in the dark too.
  expired: "gray.6",
  deleting: "red",
};

/** Where a file stands, in a word. The dot has the colour, so that the word keeps its contrast. */
export function FileStatus({ status, ...badge }: { status: Status } & BadgeProps) {
  return (
    <Badge variant="dot" color={colors[status]} fw={500} {...badge}>
      {files.statuses[status]}
    </Badge>
  );
}
