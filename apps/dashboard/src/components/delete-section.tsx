import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { type ComponentProps, lazy } from "react";
import { loadChunk } from "../load-chunk.js";
import type { ConfirmByNameDialog as Dialog } from "./confirm-by-name-dialog.js";
import { MountOnOpen } from "./mount-on-open.js";
import { Section } from "./section.js";

const ConfirmByNameDialog = lazy(async () => ({
  default: (await loadChunk(() => import("./confirm-by-name-dialog.js"))).ConfirmByNameDialog,
}));

interface DeleteSectionProps {
  title: string;
  hint: string;
  button: string;
  /** The dialog that asks for the name. */
  dialog: Pick<ComponentProps<typeof Dialog>, "title" | "warning" | "name" | "action" | "onConfirm">;
  /** The call that deletes. The dialog closes when it succeeds. */
  mutation: Pick<ComponentProps<typeof Dialog>, "error"> & {
    isPending: boolean;
    isSuccess: boolean;
    reset(): void;
  };
}

/** A section of a settings page with a button that deletes something after its name was typed. */
export function DeleteSection({ title, hint, button, dialog, mutation }: DeleteSectionProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const isShown = isOpen && !mutation.isSuccess;
  const closeUnlessBusy = () => {
    if (mutation.isPending) return;
    close();
    mutation.reset();
  };
  return (
    <Section isForm title={title} hint={hint}>
      <Button
        color="red"
        variant="outline"
        leftSection={<IconTrash size={16} />}
        style={{ alignSelf: "flex-start" }}
        onClick={open}
      >
        {button}
      </Button>
      <MountOnOpen opened={isShown}>
        <ConfirmByNameDialog
          {...dialog}
          opened={isShown}
          isBusy={mutation.isPending}
          error={mutation.error}
          onClose={closeUnlessBusy}
        />
      </MountOnOpen>
    </Section>
  );
}
