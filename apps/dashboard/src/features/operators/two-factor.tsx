import { Badge, Button, Group, Modal } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { auth } from "../../auth.js";
import { common } from "../../texts/common.js";
import { account } from "../../texts/account.js";
import { trpc } from "../../trpc.js";
import { BackupCodes } from "./backup-codes.js";
import { PasswordStep } from "./password-step.js";
import { SetUpTwoFactor } from "./set-up-two-factor.js";

type Dialog = "set up" | "turn off" | "new codes";

const titles: Record<Dialog, string> = {
  "set up": account.twoFactor,
  "turn off": account.turnOffTitle,
  "new codes": account.newCodes,
};

/** The second step of signing in: its state, and the dialogs that change it. */
export function TwoFactor({ isOn }: { isOn: boolean }) {
  const utils = trpc.useUtils();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => {
    setDialog(null);
    void utils.session.invalidate();
  };
  return (
    <Group gap="sm">
      <Badge color={isOn ? "green" : "gray"} variant="light">
        {isOn ? account.on : account.off}
      </Badge>
      {isOn ? (
        <>
          <Button variant="default" onClick={() => setDialog("new codes")}>
            {account.newCodes}
          </Button>
          <Button variant="default" onClick={() => setDialog("turn off")}>
            {account.turnOff}
          </Button>
        </>
      ) : (
        <Button onClick={() => setDialog("set up")}>{account.setUp}</Button>
      )}
      <Modal
        opened={dialog !== null}
        onClose={close}
        // What is shown once is not lost by a click beside it.
        closeOnClickOutside={false}
        title={dialog === null ? "" : titles[dialog]}
        closeButtonProps={{ "aria-label": common.close }}
      >
        {dialog === "set up" && <SetUpTwoFactor onDone={close} />}
        {dialog === "turn off" && <TurnOff onDone={close} />}
        {dialog === "new codes" && <NewCodes onDone={close} />}
      </Modal>
    </Group>
  );
}

function TurnOff({ onDone }: { onDone: () => void }) {
  const turnOff = async (password: string) => {
    await auth("two-factor/disable", { password });
    notifications.show({ message: account.turnedOff });
    onDone();
  };
  return (
    <PasswordStep hint={account.turnOffHint} action={account.turnOff} color="red" onPassword={turnOff} />
  );
}

function NewCodes({ onDone }: { onDone: () => void }) {
  const [codes, setCodes] = useState<string[]>();
  const make = async (password: string) => {
    const made = await auth<{ backupCodes: string[] }>("two-factor/generate-backup-codes", { password });
    setCodes(made.backupCodes);
  };
  if (codes) return <BackupCodes codes={codes} onDone={onDone} />;
  return <PasswordStep hint={account.newCodesHint} action={account.makeCodes} onPassword={make} />;
}
