import { Center, Paper, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Offline } from "../../components/offline.js";
import { common } from "../../texts/common.js";

/** A page for people who are not signed in yet: one thing to do, in the middle. */
export function EntryPage(props: { title: string; hint?: ReactNode; children: ReactNode }) {
  useDocumentTitle(`${props.title} · ${common.product}`);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack w="100%" maw={420} gap="md">
        <Offline />
        <Stack gap={6} align="center">
          <img src="/favicon.svg" alt="" width={36} height={36} />
          <Text fw={700}>{common.product}</Text>
        </Stack>
        <Paper withBorder p="xl">
          <Stack>
            <Stack gap={4}>
              <Title order={1} size="h3">
                {props.title}
              </Title>
              {props.hint !== undefined && (
                <Text c="dimmed" size="sm" style={{ overflowWrap: "anywhere" }}>
                  {props.hint}
                </Text>
              )}
            </Stack>
            {props.children}
          </Stack>
        </Paper>
      </Stack>
    </Center>
  );
}
