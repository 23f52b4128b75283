import { Alert, Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { auth } from "../../auth.js";
import { Loaded } from "../../components/loaded.js";
import { Refusal } from "../../components/refusal.js";
import { sentenceOf } from "../../components/failure.js";
import { signIn } from "../../texts/sign-in.js";
import { type Outputs, refusalOf, trpc } from "../../trpc.js";
import { EntryPage } from "./entry-page.js";
import { NewAccountForm } from "./new-account-form.js";
import { SignInForm } from "./sign-in-form.js";
import { useEnter } from "./use-enter.js";
import { useLink } from "./use-link.js";
import { useLinkToken } from "./use-link-token.js";

type Offer = Outputs["members"]["readInvitation"];

/** What a link offers, and the way in for whoever it is for: new, signed in, or not yet. */
export function InvitationPage() {
  const token = useLinkToken();
  const offer = useLink(trpc.members.readInvitation.useMutation(), token);
  const isOver = token === "" || refusalOf(offer.error)?.code === "invitation_refused";
  return (
    <EntryPage title={signIn.invitationTitle}>
      {isOver ? (
        <Alert color="yellow" title={token === "" ? undefined : sentenceOf(offer.error)}>
          {token === "" ? signIn.linkIncomplete : signIn.invitationOver}
        </Alert>
      ) : (
        <Loaded query={offer}>
          {(data) => (
            <>
              <Text style={{ overflowWrap: "anywhere" }}>
                {signIn.invited(data.invitedBy, data.projectName, signIn.roles[data.role])}
              </Text>
              <Join offer={data} token={token} onSignedOut={() => void offer.refetch()} />
            </>
          )}
        </Loaded>
      )}
    </EntryPage>
  );
}

function Join({ offer, token, onSignedOut }: { offer: Offer; token: string; onSignedOut: () => void }) {
  const enter = useEnter();
  const accept = trpc.members.accept.useMutation();
  const join = useMutation({
    mutationFn: async (account?: { name: string; password: string }) => {
      const { projectRef, email } = await accept.mutateAsync({
        token,
        ...(account && { name: account.name, password: account.password }),
      });
      if (account) await auth("sign-in/email", { email, password: account.password });
      await enter(`/projects/${projectRef}`);
    },
  });
  const leave = useMutation({ mutationFn: () => auth("sign-out"), onSuccess: onSignedOut });
  if (offer.signedInAs === offer.email)
    return (
      <>
        <Refusal error={join.error} />
        <Button loading={join.isPending} onClick={() => join.mutate(undefined)}>
          {signIn.join}
        </Button>
      </>
    );
  if (offer.signedInAs !== null)
    return (
      <>
        <Alert color="yellow">{signIn.otherAccount(offer.email, offer.signedInAs)}</Alert>
        <Button variant="default" loading={leave.isPending} onClick={() => leave.mutate()}>
          {signIn.signOutFirst}
        </Button>
      </>
    );
  if (offer.hasAccount)
    return (
      <>
        <Text size="sm" c="dimmed">
          {signIn.signInToJoin}
        </Text>
        <Refusal error={join.error} />
        <SignInForm
          email={offer.email}
          action={signIn.signInAndJoin}
          onSignedIn={() => join.mutateAsync(undefined)}
        />
      </>
    );
  return (
    <NewAccountForm
      email={offer.email}
      action={signIn.joinNew}
      error={join.error}
      isBusy={join.isPending}
      onSubmit={(account) => join.mutate(account)}
    />
  );
}
