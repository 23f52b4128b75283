import { Alert, Anchor, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { finishSetupInput } from "@stowage/operator-schemas";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import * as z from "zod";
import { AuthError, callAuth } from "../../auth-client.js";
import { errorMessage, FormError } from "../../components/errors.js";
import { outage } from "../../components/outage-texts.js";
import { signIn } from "../../components/sign-in-texts.js";

/** The rule of the service for e-mail addresses. Any password may be tried: its own rule is only for new ones. */
const rules = finishSetupInput
  .pick({ email: true })
  .extend({ password: z.string().min(1, { error: "password is required" }) });

interface Props {
  /** Makes the email address read-only. */
  email?: string;
  /** @default "Sign in" */
  action?: string;
  onSignedIn: () => Promise<unknown>;
}

/** Asks for email address and password, then for a code if the operator has two-step sign-in. */
export function SignInForm(props: Props) {
  const [isCodeNeeded, setIsCodeNeeded] = useState(false);
  const [restartReason, setRestartReason] = useState<string>();
  const restart = (reason?: string) => {
    setRestartReason(reason);
    setIsCodeNeeded(false);
  };
  if (isCodeNeeded) return <CodeStep onSignedIn={props.onSignedIn} onRestart={restart} />;
  return <PasswordStep {...props} restartReason={restartReason} onCodeNeeded={() => setIsCodeNeeded(true)} />;
}

function PasswordStep(props: Props & { restartReason: string | undefined; onCodeNeeded: () => void }) {
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { email: props.email ?? "", password: "" },
    validate: schemaResolver(rules, { sync: true }),
    validateInputOnBlur: ["email"],
  });
  const attempt = useMutation({
    mutationFn: (account: z.infer<typeof rules>) =>
      callAuth<{ twoFactorRedirect?: boolean }>("sign-in/email", account),
    onSuccess: ({ twoFactorRedirect }) => (twoFactorRedirect ? props.onCodeNeeded() : props.onSignedIn()),
  });
  // The schema also trims the address and converts it to lower case.
  const submit = form.onSubmit(
    (account) => attempt.mutate(rules.parse(account)),
    (errors) => form.getInputNode(Object.keys(errors)[0]!)?.focus(),
  );
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <FormError error={attempt.error} consequence={outage.notSignedIn} />
        {!attempt.error && props.restartReason && <Alert color="yellow">{props.restartReason}</Alert>}
        <TextInput
          label={signIn.email}
          type="email"
          autoComplete="username"
          required
          readOnly={props.email !== undefined}
          key={form.key("email")}
          {...form.getInputProps("email")}
        />
        <PasswordInput
          label={signIn.password}
          autoComplete="current-password"
          required
          key={form.key("password")}
          {...form.getInputProps("password")}
        />
        <Button type="submit" loading={attempt.isPending}>
          {props.action ?? signIn.title}
        </Button>
      </Stack>
    </form>
  );
}

function CodeStep(props: { onSignedIn: () => Promise<unknown>; onRestart: (reason?: string) => void }) {
  const [isBackupCode, setIsBackupCode] = useState(false);
  const [code, setCode] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const attempt = useMutation({
    mutationFn: () =>
      callAuth(isBackupCode ? "two-factor/verify-backup-code" : "two-factor/verify-totp", {
        code: code.trim(),
      }),
    onSuccess: props.onSignedIn,
    onError: (error) => {
      const code = error instanceof AuthError ? error.code : undefined;
      // After a timeout or too many wrong codes, the service wants the password again.
      if (code === "signed_out") props.onRestart(signIn.signInExpired);
      if (code === "invalid_request") props.onRestart(signIn.tooManyCodes);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate();
  };
  const switchMethod = () => {
    setIsBackupCode(!isBackupCode);
    setCode("");
    attempt.reset();
    input.current?.focus();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={isBackupCode ? signIn.backupCode : signIn.code}
          description={isBackupCode ? signIn.backupCodeHint : signIn.codeHint}
          autoComplete="one-time-code"
          inputMode={isBackupCode ? "text" : "numeric"}
          required
          ref={input}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={attempt.error ? errorMessage(attempt.error, outage.notSignedIn) : undefined}
        />
        <Button type="submit" loading={attempt.isPending}>
          {signIn.verify}
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={switchMethod}>
          {isBackupCode ? signIn.toApp : signIn.toBackupCode}
        </Anchor>
        <Anchor component="button" type="button" size="sm" onClick={() => props.onRestart()}>
          {signIn.startOver}
        </Anchor>
      </Stack>
    </form>
  );
}
