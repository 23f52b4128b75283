import { Badge, Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { callAuth } from "../../auth-client.js";
import { account } from "./account-texts.js";
import { trpc } from "../../trpc.js";
import { BackupCodes } from "./backup-codes.js";
import { PasswordConfirmation } from "./password-confirmation.js";
import { SetUpTwoFactor } from "./set-up-two-factor.js";
import { Dialog } from "../../components/dialog.js";

type DialogName = "set up" | "turn off" | "replace codes";

const titles: Record<DialogName, string> = {
  "set up": account.twoFactor,
  "turn off": account.turnOffTitle,
  "replace codes": account.replaceCodes,
};

/** Shows whether two-step sign-in is on, and the dialogs that change it. */
export function TwoFactor({ isOn, isRequired }: { isOn: boolean; isRequired: boolean }) {
  const utils = trpc.useUtils();
  const [dialog, setDialog] = useState<DialogName | null>(null);
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
          <Button variant="default" onClick={() => setDialog("replace codes")}>
            {account.replaceCodes}
          </Button>
          {!isRequired && (
            <Button variant="default" onClick={() => setDialog("turn off")}>
              {account.turnOff}
            </Button>
          )}
        </>
      ) : (
        <Button onClick={() => setDialog("set up")}>{account.setUp}</Button>
      )}
      <Dialog
        opened={dialog !== null}
        onClose={close}
        // A click outside must not close the dialog: backup codes are shown only once.
        closeOnClickOutside={false}
        title={dialog === null ? "" : titles[dialog]}
      >
        {dialog === "set up" && <SetUpTwoFactor hint={account.endsSessions} onDone={close} />}
        {dialog === "turn off" && <TurnOff onDone={close} />}
        {dialog === "replace codes" && <ReplaceCodes onDone={close} />}
      </Dialog>
    </Group>
  );
}

function TurnOff({ onDone }: { onDone: () => void }) {
  const turnOff = async (password: string) => {
    await callAuth("two-factor/disable", { password });
    notifications.show({ message: account.turnedOff });
    onDone();
  };
  return (
    <PasswordConfirmation
      hint={account.turnOffHint}
      action={account.turnOff}
      color="red"
      onPassword={turnOff}
    />
  );
}

function ReplaceCodes({ onDone }: { onDone: () => void }) {
  const [codes, setCodes] = useState<string[]>();
  const generate = async (password: string) => {
    const generated = await callAuth<{ backupCodes: string[] }>("two-factor/generate-backup-codes", {
      password,
    });
    setCodes(generated.backupCodes);
  };
  if (codes) return <BackupCodes codes={codes} onDone={onDone} />;
  return (
    <PasswordConfirmation
      hint={account.replaceCodesHint}
      action={account.generateCodes}
      onPassword={generate}
    />
  );
}
