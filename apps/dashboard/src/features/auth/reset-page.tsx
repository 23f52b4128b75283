import { Alert, Button, Stack } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { resetPasswordInput } from "@stowage/operator-schemas";
import { Loaded } from "../../components/loaded.js";
import { errorMessage, FormError } from "../../components/errors.js";
import { signIn } from "../../components/sign-in-texts.js";
import { serviceErrorOf, trpc } from "../../trpc.js";
import { AuthPage, SignInLink } from "../../components/auth-page.js";
import { NewPasswordInput, HiddenUsername } from "../../components/new-password-input.js";
import { useLinkDetails, useLinkToken } from "./one-time-link.js";

/** Sets a new password. The command `stowage operator reset-password` prints the link to this page. */
export function ResetPage() {
  const token = useLinkToken();
  const reset = useLinkDetails(trpc.passwordReset.read.useMutation(), token);
  const finish = trpc.passwordReset.finish.useMutation();
  if (finish.isSuccess) {
    return (
      <AuthPage title={signIn.resetTitle}>
        <Alert color="green" role="status">
          {signIn.resetDone}
        </Alert>
        <SignInLink />
      </AuthPage>
    );
  }
  const isInvalid = token === "" || serviceErrorOf(reset.error)?.code === "reset_refused";
  return (
    <AuthPage title={signIn.resetTitle} {...(reset.data && { hint: signIn.resetHint(reset.data.email) })}>
      {isInvalid ? (
        <Alert color="yellow">{token === "" ? signIn.linkIncomplete : errorMessage(reset.error)}</Alert>
      ) : (
        <Loaded query={reset}>
          {({ email }) => (
            <NewPasswordForm
              email={email}
              error={finish.error}
              isBusy={finish.isPending}
              onSubmit={(password) => finish.mutate({ token, password })}
            />
          )}
        </Loaded>
      )}
    </AuthPage>
  );
}

function NewPasswordForm(props: {
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
        <FormError error={props.error} />
        <HiddenUsername email={props.email} />
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
