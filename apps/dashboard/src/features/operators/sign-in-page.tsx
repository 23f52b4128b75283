import { Alert, Button, Center, Paper, PasswordInput, Stack, TextInput, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { auth } from "../../auth.js";
import { sentenceOf } from "../../components/failure.js";
import { common } from "../../texts/common.js";
import { signIn } from "../../texts/sign-in.js";

/** E-mail address and password. */
export function SignInPage() {
  useDocumentTitle(`${signIn.title} · ${common.product}`);
  const { to = "/" } = useSearch({ from: "/sign-in" });
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const attempt = useMutation({
    mutationFn: () => auth("sign-in/email", { email, password }),
    onSuccess: async () => {
      // What was refused while nobody was signed in is asked again.
      queryClient.clear();
      await navigate({ href: to, replace: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate();
  };
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={400}>
        <form onSubmit={submit}>
          <Stack>
            <Title order={1} size="h3">
              {signIn.title}
            </Title>
            {attempt.error && <Alert color="red">{sentenceOf(attempt.error)}</Alert>}
            <TextInput
              label={signIn.email}
              type="email"
              autoComplete="username"
              required
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <PasswordInput
              label={signIn.password}
              autoComplete="current-password"
              required
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
            <Button type="submit" loading={attempt.isPending}>
              {signIn.title}
            </Button>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
