import { Button, Stack, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { finishSetupInput } from "@stowage/operator-schemas";
import { FormError } from "../../components/errors.js";
import { signIn } from "../../components/sign-in-texts.js";
import { NewPasswordInput } from "../../components/new-password-input.js";

export interface NewAccount {
  name: string;
  email: string;
  password: string;
}

const rules = finishSetupInput.omit({ token: true });

/** Asks for name, email address and password of a new operator. Validates them with the schema of the service. */
export function NewAccountForm(props: {
  /** Makes the email address read-only. */
  email?: string;
  action: string;
  error: unknown;
  isBusy: boolean;
  onSubmit: (account: NewAccount) => void;
}) {
  const form = useForm<NewAccount>({
    mode: "uncontrolled",
    initialValues: { name: "", email: props.email ?? "", password: "" },
    validate: schemaResolver(rules, { sync: true }),
    validateInputOnBlur: true,
  });
  const submit = form.onSubmit(props.onSubmit, (errors) =>
    form.getInputNode(Object.keys(errors)[0]!)?.focus(),
  );
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <FormError error={props.error} />
        <TextInput
          label={signIn.name}
          autoComplete="name"
          required
          key={form.key("name")}
          {...form.getInputProps("name")}
        />
        <TextInput
          label={signIn.email}
          type="email"
          autoComplete="username"
          required
          readOnly={props.email !== undefined}
          key={form.key("email")}
          {...form.getInputProps("email")}
        />
        <NewPasswordInput
          label={signIn.password}
          key={form.key("password")}
          {...form.getInputProps("password")}
        />
        <Button type="submit" loading={props.isBusy}>
          {props.action}
        </Button>
      </Stack>
    </form>
  );
}
