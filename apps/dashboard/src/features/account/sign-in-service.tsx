import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { callAuth } from "../../auth-client.js";
import { ConfirmDialog } from "../../components/confirm-dialog.js";
import { Dialog } from "../../components/dialog.js";
import { OidcRefused } from "../../components/oidc-button.js";
import { Section } from "../../components/section.js";
import { account } from "./account-texts.js";
import { oidc } from "../../components/oidc-texts.js";
import { type Outputs, trpc } from "../../trpc.js";
import { PasswordConfirmation } from "./password-confirmation.js";

type Methods = Outputs["session"]["signInMethods"];

/** The connection of the operator's account with the OpenID Connect provider. */
export function SignInService({ name, methods }: { name: string; methods: Methods }) {
  const { refused } = useSearch({ from: "/signed-in/account" });
  const [isConnecting, setIsConnecting] = useState(false);
  const [isDisconnecting, setIsDisconnecting] = useState(false);
  const { isConnected, hasPassword } = methods;
  return (
    <Section isForm title={oidc.title} hint={oidc.hint(name)}>
      <Stack gap="sm">
        {refused && <OidcRefused refusal={refused} />}
        <Group gap="sm">
          <Badge color={isConnected ? "green" : "gray"} variant="light">
            {isConnected ? oidc.connected : oidc.notConnected}
          </Badge>
          {!isConnected && <Button onClick={() => setIsConnecting(true)}>{oidc.connect}</Button>}
          {isConnected && hasPassword && (
            <Button variant="default" onClick={() => setIsDisconnecting(true)}>
              {oidc.disconnect}
            </Button>
          )}
        </Group>
        {isConnected && !hasPassword && (
          <Text size="sm" c="dimmed">
            {oidc.onlyWay}
          </Text>
        )}
      </Stack>
      <Dialog opened={isConnecting} onClose={() => setIsConnecting(false)} title={oidc.connect}>
        <PasswordConfirmation hint={oidc.connectHint(name)} action={account.continue} onPassword={connect} />
      </Dialog>
      <Disconnect isOpen={isDisconnecting} onClose={() => setIsDisconnecting(false)} />
    </Section>
  );
}

async function connect(password: string): Promise<void> {
  const { url } = await callAuth<{ url: string }>("oidc/connect", { password });
  location.assign(url);
}

function Disconnect({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const utils = trpc.useUtils();
  const disconnect = trpc.session.disconnectOidc.useMutation({
    onSuccess: () => {
      onClose();
      notifications.show({ message: oidc.disconnected });
    },
    onSettled: () => utils.session.invalidate(),
  });
  return (
    <ConfirmDialog
      title={oidc.disconnectTitle}
      action={oidc.disconnect}
      opened={isOpen}
      isBusy={disconnect.isPending}
      error={disconnect.error}
      onConfirm={() => disconnect.mutate()}
      onClose={onClose}
    >
      <Text size="sm">{oidc.disconnectHint}</Text>
    </ConfirmDialog>
  );
}
