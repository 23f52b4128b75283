import { Alert, Anchor, Divider, Text } from "@mantine/core";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { OidcButton, OidcRefused } from "../../components/oidc-button.js";
import { useClearCacheAndNavigate } from "../../components/session.js";
import { oidc } from "../../components/oidc-texts.js";
import { signIn } from "../../components/sign-in-texts.js";
import { trpc } from "../../trpc.js";
import { AuthPage } from "../../components/auth-page.js";
import { SignInForm } from "./sign-in-form.js";

/** Signs in, then opens the page that was asked for. */
export function SignInPage() {
  const { to = "/", refused } = useSearch({ from: "/sign-in" });
  const clearCacheAndNavigate = useClearCacheAndNavigate();
  const [isPasswordShown, setIsPasswordShown] = useState(false);
  const setup = trpc.setup.status.useQuery();
  const { isSetUp, oidcName = null, isPasswordOff = false } = setup.data ?? {};
  if (isSetUp === false) {
    return (
      <AuthPage title={signIn.title}>
        <Alert>{signIn.notSetUp}</Alert>
      </AuthPage>
    );
  }
  return (
    <AuthPage title={signIn.title}>
      {refused && <OidcRefused refusal={refused} />}
      {oidcName !== null && (
        <>
          <OidcButton name={oidcName} to={to} variant={isPasswordOff ? "filled" : "default"} />
          {!isPasswordOff && <Divider label={oidc.or} />}
        </>
      )}
      {!isPasswordOff || isPasswordShown ? (
        <>
          <SignInForm onSignedIn={() => clearCacheAndNavigate(to)} />
          <Text c="dimmed" size="sm">
            {isPasswordOff ? oidc.passwordException : signIn.forgotten}
          </Text>
        </>
      ) : (
        <Anchor component="button" type="button" size="sm" onClick={() => setIsPasswordShown(true)}>
          {oidc.withPassword}
        </Anchor>
      )}
    </AuthPage>
  );
}
