import { Button, Group, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { errorMessage } from "../../components/errors.js";
import { account } from "./account-texts.js";

/** Asks for the current password before a change of two-step sign-in. */
export function PasswordConfirmation(props: {
  hint: string;
  action: string;
  color?: string;
  onPassword: (password: string) => Promise<void>;
}) {
  const [password, setPassword] = useState("");
  const attempt = useMutation({ mutationFn: () => props.onPassword(password) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{props.hint}</Text>
        <PasswordInput
          label={account.currentPassword}
          autoComplete="current-password"
          required
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={attempt.error ? errorMessage(attempt.error) : undefined}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={attempt.isPending} {...(props.color && { color: props.color })}>
            {props.action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
