import { Button, Center } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Empty } from "../components/empty.js";
import { common } from "../texts/common.js";

/** An address that names nothing. */
export function NotFound() {
  return (
    <Center component="main" p="xl">
      <Empty
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
