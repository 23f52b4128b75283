import { List, Text } from "@mantine/core";
import { UntrustedText } from "../../components/untrusted-text.js";
import { files as texts } from "../../components/files/files-texts.js";

/** An operator would not read more names than this before confirming. */
const MAX_NAMES = 5;

/** The names of the first files that a dialog is about, and the number of the others. */
export function NameList({ files }: { files: { id: number; filename: string }[] }) {
  return (
    <>
      <List size="sm" withPadding>
        {files.slice(0, MAX_NAMES).map(({ id, filename }) => (
          <List.Item key={id}>
            <UntrustedText text={filename} />
          </List.Item>
        ))}
      </List>
      {files.length > MAX_NAMES && (
        <Text size="sm" c="dimmed">
          {texts.andMore(files.length - MAX_NAMES)}
        </Text>
      )}
    </>
  );
}
