import { Button, Group, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { sentenceOf } from "../../components/failure.js";
import { account } from "../../texts/account.js";

/** Asks for the password before what it protects is changed. */
export function PasswordStep(props: {
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
          label={account.confirmPassword}
          autoComplete="current-password"
          required
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={attempt.error ? sentenceOf(attempt.error) : undefined}
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
