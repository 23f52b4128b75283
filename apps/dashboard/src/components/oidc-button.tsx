import { Alert, Button } from "@mantine/core";
import type { OidcRefusal } from "@stowage/operator-schemas";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { callAuth } from "../auth-client.js";
import { oidc } from "./oidc-texts.js";
import { FormError } from "./errors.js";

/** Leads to the OpenID Connect provider. The service sends the browser back to `to`, or to the page of the link. */
export function OidcButton(props: {
  name: string;
  variant?: "default" | "filled";
  to?: string;
  link?: { kind: "invitation" | "setup"; token: string };
}) {
  const { name, variant = "default", to, link } = props;
  const start = useMutation({
    mutationFn: () => callAuth<{ url: string }>("sign-in/oidc", { to, link }),
    onSuccess: ({ url }) => location.assign(url),
  });
  return (
    <>
      <FormError error={start.error} />
      {/* It stays busy after success, until the browser has left the page. */}
      <Button variant={variant} loading={start.isPending || start.isSuccess} onClick={() => start.mutate()}>
        {oidc.continueWith(name)}
      </Button>
    </>
  );
}

/** Says why the provider's sign-in was refused. Takes the focus, because the person comes from another site. */
export function OidcRefused({ refusal }: { refusal: OidcRefusal }) {
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => alert.current?.focus(), []);
  return (
    <Alert color="yellow" role="alert" tabIndex={-1} ref={alert}>
      {oidc.refused[refusal]}
    </Alert>
  );
}
