import { Alert, Anchor, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { auth, AuthRefusal } from "../../auth.js";
import { Refusal } from "../../components/refusal.js";
import { sentenceOf } from "../../components/failure.js";
import { signIn } from "../../texts/sign-in.js";

interface Props {
  /** Where only one person is meant. */
  email?: string;
  action?: string;
  onSignedIn: () => Promise<unknown>;
}

/** E-mail address and password, then the second step where somebody has one. */
export function SignInForm(props: Props) {
  const [isHalf, setIsHalf] = useState(false);
  const [whyAgain, setWhyAgain] = useState<string>();
  const startAgain = (why?: string) => {
    setWhyAgain(why);
    setIsHalf(false);
  };
  if (isHalf) return <CodeStep onSignedIn={props.onSignedIn} onBack={startAgain} />;
  return <PasswordStep {...props} whyAgain={whyAgain} onCode={() => setIsHalf(true)} />;
}

function PasswordStep(props: Props & { whyAgain: string | undefined; onCode: () => void }) {
  const [email, setEmail] = useState(props.email ?? "");
  const [password, setPassword] = useState("");
  const attempt = useMutation({
    mutationFn: () => auth<{ twoFactorRedirect?: boolean }>("sign-in/email", { email, password }),
    onSuccess: ({ twoFactorRedirect }) => (twoFactorRedirect ? props.onCode() : props.onSignedIn()),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Refusal error={attempt.error} />
        {!attempt.error && props.whyAgain && <Alert color="yellow">{props.whyAgain}</Alert>}
        <TextInput
          label={signIn.email}
          type="email"
          autoComplete="username"
          required
          readOnly={props.email !== undefined}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label={signIn.password}
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={attempt.isPending}>
          {props.action ?? signIn.title}
        </Button>
      </Stack>
    </form>
  );
}

function CodeStep(props: { onSignedIn: () => Promise<unknown>; onBack: (why?: string) => void }) {
  const [isBackup, setIsBackup] = useState(false);
  const [code, setCode] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const attempt = useMutation({
    mutationFn: () =>
      auth(isBackup ? "two-factor/verify-backup-code" : "two-factor/verify-totp", { code: code.trim() }),
    onSuccess: props.onSignedIn,
    onError: (error) => {
      if (!(error instanceof AuthRefusal)) return;
      // The password was given too long ago, or too many codes were wrong since: only the first step helps.
      if (error.code === "signed_out") props.onBack(signIn.tooLate);
      if (error.code === "invalid_request") props.onBack(signIn.tooManyCodes);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate();
  };
  const change = () => {
    setIsBackup(!isBackup);
    setCode("");
    attempt.reset();
    input.current?.focus();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={isBackup ? signIn.backupCode : signIn.code}
          description={isBackup ? signIn.backupCodeHint : signIn.codeHint}
          autoComplete="one-time-code"
          inputMode={isBackup ? "text" : "numeric"}
          required
          ref={input}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={attempt.error ? sentenceOf(attempt.error) : undefined}
        />
        <Button type="submit" loading={attempt.isPending}>
          {signIn.verify}
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={change}>
          {isBackup ? signIn.toApp : signIn.toBackupCode}
        </Anchor>
        <Anchor component="button" type="button" size="sm" onClick={() => props.onBack()}>
          {signIn.startAgain}
        </Anchor>
      </Stack>
    </form>
  );
}
