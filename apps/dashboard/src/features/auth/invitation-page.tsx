import { Alert, Button, Divider, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { callAuth } from "../../auth-client.js";
import { errorMessage, FormError } from "../../components/errors.js";
import { Loaded } from "../../components/loaded.js";
import { useClearCacheAndNavigate } from "../../components/session.js";
import { OidcButton } from "../../components/oidc-button.js";
import { oidc } from "../../components/oidc-texts.js";
import { signIn } from "../../components/sign-in-texts.js";
import { type Outputs, serviceErrorOf, trpc } from "../../trpc.js";
import { AuthPage } from "../../components/auth-page.js";
import { NewAccountForm } from "./new-account-form.js";
import { useLinkDetails, useLinkToken } from "./one-time-link.js";
import { SignInForm } from "./sign-in-form.js";

type Invitation = Outputs["members"]["readInvitation"];

/** Accepts an invitation to a project. */
export function InvitationPage() {
  const token = useLinkToken();
  const invitation = useLinkDetails(trpc.members.readInvitation.useMutation(), token);
  const isInvalid = token === "" || serviceErrorOf(invitation.error)?.code === "invitation_refused";
  return (
    <AuthPage title={signIn.invitationTitle}>
      {isInvalid ? (
        <Alert color="yellow" title={token === "" ? undefined : errorMessage(invitation.error)}>
          {token === "" ? signIn.linkIncomplete : signIn.invitationInvalid}
        </Alert>
      ) : (
        <Loaded query={invitation}>
          {(data) => (
            <>
              <Text style={{ overflowWrap: "anywhere" }}>
                {signIn.invited(data.invitedBy, data.projectName, signIn.roles[data.role])}
              </Text>
              <Join invitation={data} token={token} onSignedOut={() => void invitation.refetch()} />
            </>
          )}
        </Loaded>
      )}
    </AuthPage>
  );
}

function Join(props: { invitation: Invitation; token: string; onSignedOut: () => void }) {
  const { invitation, token, onSignedOut } = props;
  const join = useJoin(token);
  const { oidcName = null, isPasswordOff = false } = trpc.setup.status.useQuery().data ?? {};
  const byProvider = oidcName !== null && (
    <>
      <Text size="sm" c="dimmed">
        {oidc.joinWith}
      </Text>
      <OidcButton
        name={oidcName}
        link={{ kind: "invitation", token }}
        variant={isPasswordOff ? "filled" : "default"}
      />
      {!isPasswordOff && <Divider label={oidc.or} />}
    </>
  );
  if (serviceErrorOf(join.error)?.code === "two_factor_missing") return <SetUpFirst />;
  if (invitation.signedInAs === invitation.email) {
    return (
      <>
        <FormError error={join.error} />
        <Button loading={join.isPending} onClick={() => join.mutate(undefined)}>
          {signIn.join}
        </Button>
      </>
    );
  }
  if (invitation.signedInAs !== null) {
    return (
      <OtherAccount invited={invitation.email} signedIn={invitation.signedInAs} onSignedOut={onSignedOut} />
    );
  }
  if (invitation.hasAccount) {
    return (
      <>
        {byProvider}
        <Text size="sm" c="dimmed">
          {signIn.signInToJoin}
        </Text>
        <FormError error={join.error} />
        <SignInForm
          email={invitation.email}
          action={signIn.signInAndJoin}
          onSignedIn={() => join.mutateAsync(undefined)}
        />
      </>
    );
  }
  return (
    <>
      {byProvider}
      {!isPasswordOff && (
        <NewAccountForm
          email={invitation.email}
          action={signIn.joinNew}
          error={join.error}
          isBusy={join.isPending}
          onSubmit={(account) => join.mutate(account)}
        />
      )}
    </>
  );
}

/** Accepts the invitation, with a new account if one is given, and opens the project. */
function useJoin(token: string) {
  const clearCacheAndNavigate = useClearCacheAndNavigate();
  const accept = trpc.members.accept.useMutation();
  return useMutation({
    mutationFn: async (account?: { name: string; password: string }) => {
      const { projectRef, email } = await accept.mutateAsync({
        token,
        ...(account && { name: account.name, password: account.password }),
      });
      if (account) await callAuth("sign-in/email", { email, password: account.password });
      await clearCacheAndNavigate(`/projects/${projectRef}`);
    },
  });
}

/** The operator is signed in now, so the page behind this link asks for the set-up. */
function SetUpFirst() {
  return (
    <>
      <Alert color="yellow" role="alert">
        {signIn.setUpFirst}
      </Alert>
      <Button renderRoot={(props) => <Link to="/" {...props} />}>{signIn.setUp}</Button>
    </>
  );
}

function OtherAccount(props: { invited: string; signedIn: string; onSignedOut: () => void }) {
  const signOut = useMutation({ mutationFn: () => callAuth("sign-out"), onSuccess: props.onSignedOut });
  return (
    <>
      <Alert color="yellow">{signIn.otherAccount(props.invited, props.signedIn)}</Alert>
      <Button variant="default" loading={signOut.isPending} onClick={() => signOut.mutate()}>
        {signIn.signOutFirst}
      </Button>
    </>
  );
}
