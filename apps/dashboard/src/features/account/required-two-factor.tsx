import { Anchor } from "@mantine/core";
import { AuthPage } from "../../components/auth-page.js";
import { useSignOut } from "../../components/session.js";
import { account } from "./account-texts.js";
import { SetUpTwoFactor } from "./set-up-two-factor.js";

/** Sets up the two-step sign-in that the installation requires. It replaces every other page until that is done. */
export function RequiredTwoFactor({ onDone }: { onDone: () => void }) {
  const signOut = useSignOut();
  return (
    <AuthPage title={account.requiredTitle} hint={account.requiredHint}>
      <SetUpTwoFactor hint={account.confirmPassword} onDone={onDone} />
      <Anchor component="button" type="button" size="sm" onClick={() => signOut.mutate()}>
        {account.signOut}
      </Anchor>
    </AuthPage>
  );
}
