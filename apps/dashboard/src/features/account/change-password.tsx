import { Button, Group, PasswordInput, Stack } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { password } from "@stowage/operator-schemas";
import { useMutation } from "@tanstack/react-query";
import * as z from "zod";
import { AuthError, callAuth } from "../../auth-client.js";
import { errorMessage } from "../../components/errors.js";
import { account } from "./account-texts.js";
import { trpc } from "../../trpc.js";
import { NewPasswordInput, HiddenUsername } from "../../components/new-password-input.js";

const rules = z.object({ currentPassword: z.string(), newPassword: password });

/** Changes the operator's password and ends all other sessions. */
export function ChangePassword({ email }: { email: string }) {
  const utils = trpc.useUtils();
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { currentPassword: "", newPassword: "" },
    validate: schemaResolver(rules, { sync: true }),
  });
  const change = useMutation({
    mutationFn: (passwords: z.infer<typeof rules>) =>
      callAuth("change-password", { ...passwords, revokeOtherSessions: true }),
    onSuccess: () => {
      form.reset();
      notifications.show({ message: account.passwordChanged });
      void utils.session.activity.invalidate();
    },
    onError: (error) => {
      const isWrongPassword = error instanceof AuthError && error.code === "wrong_password";
      form.setFieldError(isWrongPassword ? "currentPassword" : "newPassword", errorMessage(error));
    },
  });
  return (
    <form noValidate onSubmit={form.onSubmit((passwords) => change.mutate(passwords))}>
      <Stack gap="sm">
        <HiddenUsername email={email} />
        <PasswordInput
          label={account.currentPassword}
          autoComplete="current-password"
          required
          key={form.key("currentPassword")}
          {...form.getInputProps("currentPassword")}
        />
        <NewPasswordInput
          label={account.newPassword}
          key={form.key("newPassword")}
          {...form.getInputProps("newPassword")}
        />
        <Group>
          <Button type="submit" loading={change.isPending}>
            {account.changePassword}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
