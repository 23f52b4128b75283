import { Alert } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { auth } from "../../auth.js";
import { signIn } from "../../texts/sign-in.js";
import { trpc } from "../../trpc.js";
import { EntryPage } from "./entry-page.js";
import { type NewAccount, NewAccountForm } from "./new-account-form.js";
import { ToSignIn } from "./to-sign-in.js";
import { useEnter } from "./use-enter.js";
import { useLinkToken } from "./use-link-token.js";

/** The link that the service prints while there is nobody: it makes the first operator. */
export function SetupPage() {
  const token = useLinkToken();
  const enter = useEnter();
  const status = trpc.setup.status.useQuery();
  const finish = trpc.setup.finish.useMutation();
  const create = useMutation({
    mutationFn: async ({ name, email, password }: NewAccount) => {
      const made = await finish.mutateAsync({ token, name, email, password });
      await auth("sign-in/email", { email: made.email, password });
      await enter("/");
    },
  });
  if (status.data?.isSetUp === true && !create.isPending)
    return (
      <EntryPage title={signIn.setupTitle}>
        <Alert>{signIn.setupDone}</Alert>
        <ToSignIn />
      </EntryPage>
    );
  return (
    <EntryPage title={signIn.setupTitle} hint={signIn.setupHint}>
      {token === "" ? (
        <Alert color="yellow">{signIn.linkIncomplete}</Alert>
      ) : (
        <NewAccountForm
          action={signIn.setupAction}
          error={create.error}
          isBusy={create.isPending}
          onSubmit={(account) => create.mutate(account)}
        />
      )}
    </EntryPage>
  );
}
