import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { TenantLink } from "../../components/tenant-link.js";
import { Truncated } from "../../components/truncated.js";
import { replaceControlCharacters, UntrustedText } from "../../components/untrusted-text.js";
import type { Outputs } from "../../trpc.js";

type Subject = Pick<
  Outputs["webhooks"]["deliveries"]["deliveries"][number],
  "subject" | "tenantId" | "filename"
>;

/** The file or the tenant that an event is about, with a link to its page. A test is about none. */
export function About({ projectRef, event }: { projectRef: string; event: Subject }) {
  const { subject, tenantId, filename } = event;
  const [kind, id] = subject.split(":");
  if (kind === "file" && id !== undefined && filename !== null)
    return (
      <Truncated text={replaceControlCharacters(filename)}>
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link to="/projects/$projectRef/files/$fileId" params={{ projectRef, fileId: id }} {...props} />
          )}
        >
          <UntrustedText text={filename} />
        </Anchor>
      </Truncated>
    );
  return tenantId !== null && <TenantLink projectRef={projectRef} tenantId={tenantId} size="sm" />;
}
