import { Group, Kbd, Modal, Stack, Switch, Text } from "@mantine/core";
import { useState } from "react";
import { common } from "../components/common-texts.js";
import { quickAccess as texts } from "./quick-access-texts.js";
import { paletteKeys, singleKeys } from "./shortcuts.js";

const shortcuts: { what: string; keys: string[] }[] = [
  { what: texts.shortcutList.palette, keys: paletteKeys() },
  { what: texts.shortcutList.search, keys: ["/"] },
  { what: texts.shortcutList.help, keys: ["?"] },
];

/** Lists the keyboard shortcuts, and turns those of a single key on and off. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [hasSingleKeys, setSingleKeys] = useState(singleKeys.isOn);
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.shortcuts}
      returnFocus={false}
      closeButtonProps={{ "aria-label": common.close }}
    >
      <Stack gap="lg">
        <Stack component="dl" m={0} gap="xs">
          {shortcuts.map(({ what, keys }) => (
            <Group key={what} justify="space-between" wrap="nowrap">
              <Text component="dt" size="sm">
                {what}
              </Text>
              <Group component="dd" m={0} gap={4} wrap="nowrap">
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </Group>
            </Group>
          ))}
        </Stack>
        <Switch
          label={texts.singleKeys}
          description={texts.singleKeysHint}
          checked={hasSingleKeys}
          onChange={(event) => {
            singleKeys.turn(event.currentTarget.checked);
            setSingleKeys(event.currentTarget.checked);
          }}
        />
      </Stack>
    </Modal>
  );
}
