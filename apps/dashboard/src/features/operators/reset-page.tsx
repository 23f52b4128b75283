import { Alert, Button, Stack } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { resetPasswordInput } from "@stowage/schemas/dashboard";
import { Loaded } from "../../components/loaded.js";
import { Refusal } from "../../components/refusal.js";
import { sentenceOf } from "../../components/failure.js";
import { signIn } from "../../texts/sign-in.js";
import { refusalOf, trpc } from "../../trpc.js";
import { EntryPage } from "./entry-page.js";
import { NewPasswordInput, WhosePassword } from "./new-password-input.js";
import { ToSignIn } from "./to-sign-in.js";
import { useLink } from "./use-link.js";
import { useLinkToken } from "./use-link-token.js";

/** The link of `stowage operator reset-password`. */
export function ResetPage() {
  const token = useLinkToken();
  const offer = useLink(trpc.passwordReset.read.useMutation(), token);
  const finish = trpc.passwordReset.finish.useMutation();
  if (finish.isSuccess)
    return (
      <EntryPage title={signIn.resetTitle}>
        <Alert color="green" role="status">
          {signIn.resetDone}
        </Alert>
        <ToSignIn />
      </EntryPage>
    );
  const isOver = token === "" || refusalOf(offer.error)?.code === "reset_refused";
  return (
    <EntryPage title={signIn.resetTitle} {...(offer.data && { hint: signIn.resetHint(offer.data.email) })}>
      {isOver ? (
        <Alert color="yellow">{token === "" ? signIn.linkIncomplete : sentenceOf(offer.error)}</Alert>
      ) : (
        <Loaded query={offer}>
          {({ email }) => (
            <NewPassword
              email={email}
              error={finish.error}
              isBusy={finish.isPending}
              onSubmit={(password) => finish.mutate({ token, password })}
            />
          )}
        </Loaded>
      )}
    </EntryPage>
  );
}

function NewPassword(props: {
  email: string;
  error: unknown;
  isBusy: boolean;
  onSubmit: (password: string) => void;
}) {
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { password: "" },
    validate: schemaResolver(resetPasswordInput.pick({ password: true }), { sync: true }),
  });
  return (
    <form noValidate onSubmit={form.onSubmit(({ password }) => props.onSubmit(password))}>
      <Stack>
        <Refusal error={props.error} />
        <WhosePassword email={props.email} />
        <NewPasswordInput
          label={signIn.newPassword}
          key={form.key("password")}
          {...form.getInputProps("password")}
        />
        <Button type="submit" loading={props.isBusy}>
          {signIn.resetAction}
        </Button>
      </Stack>
    </form>
  );
}
