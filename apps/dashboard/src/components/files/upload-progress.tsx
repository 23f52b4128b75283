import { Progress, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { files as texts } from "./files-texts.js";
import type { Outputs } from "../../trpc.js";
import { replaceControlCharacters } from "../untrusted-text.js";
import type { FileWithState } from "./file-state.js";

export type FileWithParts = FileWithState &
  Pick<Outputs["files"]["list"]["files"][number], "parts" | "filename" | "declaredSizeBytes">;

/** The parts of an open upload that are stored, as text and as a bar. Shows nothing for a file of one PUT. */
export function UploadProgress(props: {
  file: FileWithParts;
  size: "xs" | "sm";
  /** A line below the bar. */
  children?: ReactNode;
}) {
  const { parts, filename, declaredSizeBytes } = props.file;
  if (parts === null || declaredSizeBytes === null) return null;
  return (
    <Stack gap={3} mt={4} maw="18rem">
      <Text size={props.size} className="tabular">
        {texts.partsStored(parts, declaredSizeBytes)}
      </Text>
      <Progress
        value={(parts.storedBytes / declaredSizeBytes) * 100}
        size={props.size === "xs" ? 3 : 6}
        aria-label={texts.progressOf(replaceControlCharacters(filename))}
      />
      {props.children && (
        <Text size={props.size} c="dimmed">
          {props.children}
        </Text>
      )}
    </Stack>
  );
}
