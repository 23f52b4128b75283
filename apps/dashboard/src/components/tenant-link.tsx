import { Anchor, type AnchorProps } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Truncated } from "./truncated.js";
import { replaceControlCharacters, UntrustedText } from "./untrusted-text.js";

/** A tenant's ID in one line, with a link to its page. */
export function TenantLink({
  projectRef,
  tenantId,
  ...anchor
}: { projectRef: string; tenantId: string } & AnchorProps) {
  return (
    <Truncated text={replaceControlCharacters(tenantId)}>
      <Anchor
        {...anchor}
        renderRoot={(props) => (
          <Link to="/projects/$projectRef/tenants/$tenantId" params={{ projectRef, tenantId }} {...props} />
        )}
      >
        <UntrustedText text={tenantId} />
      </Anchor>
    </Truncated>
  );
}
