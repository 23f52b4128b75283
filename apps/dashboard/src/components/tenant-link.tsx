import { Anchor, type AnchorProps } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { UntrustedText } from "./untrusted-text.js";

/** A tenant's ID with a link to its page. */
export function TenantLink({
  projectRef,
  tenantId,
  ...anchor
}: { projectRef: string; tenantId: string } & AnchorProps) {
  return (
    <Anchor
      {...anchor}
      renderRoot={(props) => (
        <Link to="/projects/$projectRef/tenants/$tenantId" params={{ projectRef, tenantId }} {...props} />
      )}
    >
      <UntrustedText text={tenantId} />
    </Anchor>
  );
}
