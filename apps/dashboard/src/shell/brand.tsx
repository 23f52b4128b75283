import { Group, Text } from "@mantine/core";
import { common } from "../texts/common.js";

/** Sign and name. */
export function Brand() {
  return (
    <Group gap={8} wrap="nowrap">
      <img src="/favicon.svg" alt="" width={26} height={26} />
      <Text fw={700} c="var(--mantine-color-text)">
        {common.product}
      </Text>
    </Group>
  );
}
