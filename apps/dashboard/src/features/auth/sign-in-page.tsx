import { Alert, Text } from "@mantine/core";
import { useSearch } from "@tanstack/react-router";
import { useClearCacheAndNavigate } from "../../components/session.js";
import { signIn } from "../../texts/sign-in.js";
import { trpc } from "../../trpc.js";
import { AuthPage } from "../../components/auth-page.js";
import { SignInForm } from "./sign-in-form.js";

/** Signs in, then opens the page that was asked for. */
export function SignInPage() {
  const { to = "/" } = useSearch({ from: "/sign-in" });
  const clearCacheAndNavigate = useClearCacheAndNavigate();
  const setup = trpc.setup.status.useQuery();
  return (
    <AuthPage title={signIn.title}>
      {setup.data?.isSetUp === false ? (
        <Alert>{signIn.notSetUp}</Alert>
      ) : (
        <>
          <SignInForm onSignedIn={() => clearCacheAndNavigate(to)} />
          <Text c="dimmed" size="sm">
            {signIn.forgotten}
          </Text>
        </>
      )}
    </AuthPage>
  );
}
