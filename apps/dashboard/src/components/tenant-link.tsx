import { Anchor, type AnchorProps } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { GivenText } from "./given-text.js";

/** A tenant's ID, and the way to its page. */
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
      <GivenText text={tenantId} />
    </Anchor>
  );
}
