import { Center } from "@mantine/core";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { Failure } from "../components/failure.js";

/** A page that threw, most often because a part of it could not be loaded after a new version was put in place. */
export function Broken({ error }: ErrorComponentProps) {
  return (
    <Center component="main" p="xl">
      <Failure error={error} onRetry={() => location.reload()} />
    </Center>
  );
}
