import { Group, Text } from "@mantine/core";
import { basePath } from "../base-path.js";
import { common } from "./common-texts.js";

/** The logo and the name of the product. */
export function Brand() {
  return (
    <Group gap={8} wrap="nowrap">
      <img src={`${basePath}/favicon.svg`} alt="" width={22} height={22} />
      <Text fw={650} fz={15} c="var(--mantine-color-text)" style={{ letterSpacing: "-0.015em" }}>
        {common.product}
      </Text>
    </Group>
  );
}
