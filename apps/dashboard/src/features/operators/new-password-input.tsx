import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { signIn } from "../../texts/sign-in.js";

/** Where somebody chooses a password, with what the service asks of one. */
export function NewPasswordInput(props: PasswordInputProps) {
  return <PasswordInput description={signIn.passwordRule} autoComplete="new-password" required {...props} />;
}

/** For password managers, which would not know whose the password is. */
export function WhosePassword({ email }: { email: string }) {
  return <input type="hidden" name="username" autoComplete="username" value={email} readOnly />;
}
