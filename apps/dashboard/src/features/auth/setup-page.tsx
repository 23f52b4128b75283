import { Alert } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { callAuth } from "../../auth-client.js";
import { useClearCacheAndNavigate } from "../../components/session.js";
import { OidcButton } from "../../components/oidc-button.js";
import { signIn } from "../../components/sign-in-texts.js";
import { trpc } from "../../trpc.js";
import { AuthPage, SignInLink } from "../../components/auth-page.js";
import { type NewAccount, NewAccountForm } from "./new-account-form.js";
import { useLinkToken } from "./one-time-link.js";

/** Creates the first operator. The service prints the link to this page as long as there is no operator. */
export function SetupPage() {
  const token = useLinkToken();
  const clearCacheAndNavigate = useClearCacheAndNavigate();
  const status = trpc.setup.status.useQuery();
  const finish = trpc.setup.finish.useMutation();
  const create = useMutation({
    mutationFn: async ({ name, email, password }: NewAccount) => {
      const operator = await finish.mutateAsync({ token, name, email, password });
      await callAuth("sign-in/email", { email: operator.email, password });
      await clearCacheAndNavigate("/");
    },
  });
  if (status.data?.isSetUp === true && !create.isPending) {
    return (
      <AuthPage title={signIn.setupTitle}>
        <Alert>{signIn.setupDone}</Alert>
        <SignInLink />
      </AuthPage>
    );
  }
  return (
    <AuthPage title={signIn.setupTitle} hint={signIn.setupHint}>
      {token === "" ? (
        <Alert color="yellow">{signIn.linkIncomplete}</Alert>
      ) : (
        <>
          {status.data && status.data.oidcName !== null && (
            <OidcButton name={status.data.oidcName} link={{ kind: "setup", token }} />
          )}
          {!status.data?.isPasswordOff && (
            <NewAccountForm
              action={signIn.setupAction}
              error={create.error}
              isBusy={create.isPending}
              onSubmit={(account) => create.mutate(account)}
            />
          )}
        </>
      )}
    </AuthPage>
  );
}
