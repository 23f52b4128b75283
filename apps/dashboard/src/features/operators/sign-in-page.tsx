import { Alert, Text } from "@mantine/core";
import { useSearch } from "@tanstack/react-router";
import { signIn } from "../../texts/sign-in.js";
import { trpc } from "../../trpc.js";
import { EntryPage } from "./entry-page.js";
import { SignInForm } from "./sign-in-form.js";
import { useEnter } from "./use-enter.js";

/** The way in, and on to where the person wanted to go. */
export function SignInPage() {
  const { to = "/" } = useSearch({ from: "/sign-in" });
  const enter = useEnter();
  const setup = trpc.setup.status.useQuery();
  return (
    <EntryPage title={signIn.title}>
      {setup.data?.isSetUp === false ? (
        <Alert>{signIn.notSetUp}</Alert>
      ) : (
        <>
          <SignInForm onSignedIn={() => enter(to)} />
          <Text c="dimmed" size="sm">
            {signIn.forgotten}
          </Text>
        </>
      )}
    </EntryPage>
  );
}
