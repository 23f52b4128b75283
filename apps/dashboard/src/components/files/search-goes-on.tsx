import { Alert, Button, Group, Text } from "@mantine/core";
import { IconListSearch } from "@tabler/icons-react";
import { files as texts } from "../../texts/files.js";

/** A long list is searched a part at a time: says so where a part had less than a page, with the way on. */
export function SearchGoesOn({ found, onGo }: { found: number; onGo: () => void }) {
  return (
    <Alert icon={<IconListSearch />} title={texts.searchGoesOn} color="blue" variant="default" role="status">
      <Group justify="space-between">
        <Text size="sm">{texts.searchedSome(found)}</Text>
        <Button size="xs" onClick={onGo}>
          {texts.searchOn}
        </Button>
      </Group>
    </Alert>
  );
}
