import { Button, Center, Paper, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { OfflineBanner } from "./offline-banner.js";
import { common } from "../texts/common.js";
import { signIn } from "../texts/sign-in.js";

/** Layout of the pages that need no session: one centred form. */
export function AuthPage(props: { title: string; hint?: ReactNode; children: ReactNode }) {
  useDocumentTitle(`${props.title} · ${common.product}`);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack w="100%" maw={420} gap="md">
        <OfflineBanner />
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

export function SignInLink() {
  return (
    <Button renderRoot={(props) => <Link to="/sign-in" {...props} />} variant="default">
      {signIn.toSignIn}
    </Button>
  );
}
