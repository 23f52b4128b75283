import { Anchor, type AnchorProps } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { GivenText } from "../given-text.js";

/** A file's name, and the way to its page. */
export function FileLink({
  projectRef,
  file,
  ...anchor
}: { projectRef: string; file: { id: number; filename: string } } & AnchorProps) {
  return (
    <Anchor
      {...anchor}
      renderRoot={(props) => (
        <Link
          to="/projects/$projectRef/files/$fileId"
          params={{ projectRef, fileId: String(file.id) }}
          {...props}
        />
      )}
    >
      <GivenText text={file.filename} />
    </Anchor>
  );
}
