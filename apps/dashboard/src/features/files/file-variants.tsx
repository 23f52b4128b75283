import { Badge, Button, type MantineColor, Table, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { FormError } from "../../components/errors.js";
import { RelativeTime } from "../../components/relative-time.js";
import { Section } from "../../components/section.js";
import { hasRole, useProject } from "../../components/use-project.js";
import { images as texts } from "../../components/images-texts.js";
import { type Outputs, trpc } from "../../trpc.js";

type Variant = Outputs["files"]["variants"][number];

const colors: Record<Variant["state"], MantineColor> = {
  waiting: "blue",
  ready: "green",
  failed: "red",
  impossible: "gray",
};

/** The image variants of a file that were asked for. Nothing, for a file without one. Members have failed ones made again. */
export function FileVariants({ projectRef, fileId }: { projectRef: string; fileId: number }) {
  const utils = trpc.useUtils();
  const { data: project } = useProject();
  const { data: variants = [] } = trpc.files.variants.useQuery({ projectRef, fileId });
  const retry = trpc.files.retryVariants.useMutation({
    onSuccess: (count) => notifications.show({ message: texts.triedAgain(count) }),
    onSettled: () => void utils.files.variants.invalidate({ projectRef, fileId }),
  });
  if (variants.length === 0) return null;
  const isMember = project !== undefined && hasRole(project.role, "member");
  const canRetry = isMember && variants.some(({ state, retryAt }) => state === "failed" || retryAt !== null);
  return (
    <Section
      title={texts.variants}
      aside={
        canRetry && (
          <Button
            variant="default"
            size="xs"
            loading={retry.isPending}
            onClick={() => retry.mutate({ projectRef, fileId })}
          >
            {texts.tryAgain}
          </Button>
        )
      }
    >
      <FormError error={retry.error} />
      <Table aria-label={texts.variants}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.name}</Table.Th>
            <Table.Th>{texts.format}</Table.Th>
            <Table.Th>{texts.state}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {variants.map((variant) => (
            <Table.Tr key={`${variant.preset} ${variant.format}`}>
              <Table.Td>{variant.preset}</Table.Td>
              <Table.Td>{variant.format}</Table.Td>
              <Table.Td>
                <VariantState {...variant} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

function VariantState({ state, failure, reason, retryAt }: Variant) {
  return (
    <>
      <Badge variant="dot" color={colors[state]}>
        {texts.states[state]}
      </Badge>
      {failure !== null && state !== "ready" && (
        <Text size="sm" c="dimmed" mt={4}>
          {texts.failures[failure]} {reason !== null && texts.reason(reason)}{" "}
          {retryAt !== null && (
            <>
              {texts.retriedAt} <RelativeTime at={retryAt} />.
            </>
          )}
        </Text>
      )}
    </>
  );
}
