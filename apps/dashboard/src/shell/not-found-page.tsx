import { Button, Center } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { EmptyState } from "../components/empty-state.js";
import { common } from "../components/common-texts.js";

/** Shown if the address matches no route. */
export function NotFoundPage() {
  return (
    <Center component="main" mih="100dvh" p="md" bg="var(--surface-sunken)">
      <EmptyState
        order={1}
        title={common.notFound}
        hint={common.notFoundHint}
        action={
          <Button renderRoot={(props) => <Link to="/" {...props} />} variant="default" mt="sm">
            {common.toProjects}
          </Button>
        }
      />
    </Center>
  );
}
