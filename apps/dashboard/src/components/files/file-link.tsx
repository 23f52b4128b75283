import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Truncated } from "../truncated.js";
import { replaceControlCharacters, UntrustedText } from "../untrusted-text.js";

/** The name of a file, with a link to its page. */
export function FileLink(props: { projectRef: string; file: { id: number; filename: string } }) {
  const { projectRef, file } = props;
  return (
    <Truncated text={replaceControlCharacters(file.filename)}>
      <Anchor
        size="sm"
        renderRoot={(rest) => (
          <Link
            to="/projects/$projectRef/files/$fileId"
            params={{ projectRef, fileId: String(file.id) }}
            {...rest}
          />
        )}
      >
        <UntrustedText text={file.filename} />
      </Anchor>
    </Truncated>
  );
}
