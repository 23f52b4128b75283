import { Alert } from "@mantine/core";
import { sentenceOf } from "./failure.js";

/** Above a form: why what was asked did not happen. Nothing where it did, or nobody asked yet. */
export function Refusal({ error, title }: { error: unknown; title?: string | undefined }) {
  if (error === null || error === undefined) return null;
  return (
    <Alert color="red" role="alert" title={title}>
      {sentenceOf(error)}
    </Alert>
  );
}
