import { Group, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { common } from "../texts/common.js";

/** Layout of a page: title, actions and content. Also sets the title of the browser's tab. */
export function Page(props: { title: string; hint?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  useDocumentTitle(`${props.title} · ${common.product}`);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={4} miw={0} flex="1 1 16rem">
          <Title order={1} size="h2" lineClamp={4} style={{ overflowWrap: "anywhere" }}>
            {props.title}
          </Title>
          {props.hint !== undefined && <Text c="dimmed">{props.hint}</Text>}
        </Stack>
        {props.actions !== undefined && <Group gap="xs">{props.actions}</Group>}
      </Group>
      {props.children}
    </Stack>
  );
}
