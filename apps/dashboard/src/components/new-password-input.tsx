import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { signIn } from "./sign-in-texts.js";

/** An input for a new password, with the password rule below it. */
export function NewPasswordInput(props: PasswordInputProps) {
  return <PasswordInput description={signIn.passwordRule} autoComplete="new-password" required {...props} />;
}

/** Tells password managers which account a password form belongs to. */
export function HiddenUsername({ email }: { email: string }) {
  return <input type="hidden" name="username" autoComplete="username" value={email} readOnly />;
}
