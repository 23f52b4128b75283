import { Button, Center, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Brand } from "./brand.js";
import { OutageBanner } from "./outage.js";
import { common } from "./common-texts.js";
import { signIn } from "./sign-in-texts.js";

/** Layout of the pages that need no session: one centred form. */
export function AuthPage(props: {
  title: string;
  hint?: ReactNode;
  /** The page itself says what does not work at the moment. */
  hasOwnOutageText?: boolean;
  children: ReactNode;
}) {
  useDocumentTitle(`${props.title} · ${common.product}`);
  return (
    <Center component="main" mih="100dvh" p="md" bg="var(--surface-sunken)">
      <Stack w="100%" maw={400} gap="md">
        {!props.hasOwnOutageText && <OutageBanner />}
        <Group justify="center" mb="xs">
          <Brand />
        </Group>
        <Paper withBorder p="xl" radius="lg" shadow="sm">
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
