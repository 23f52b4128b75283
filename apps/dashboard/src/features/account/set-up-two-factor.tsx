import { Box, Button, Code, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, lazy, Suspense, useState } from "react";
import { callAuth } from "../../auth-client.js";
import { CopyButton } from "../../components/copy-button.js";
import { errorMessage } from "../../components/errors.js";
import { account } from "./account-texts.js";
import { BackupCodes } from "./backup-codes.js";
import { PasswordConfirmation } from "./password-confirmation.js";
import { loadChunk } from "../../load-chunk.js";

const QrCode = lazy(() => loadChunk(() => import("react-qr-code")));

interface Enrollment {
  totpURI: string;
  backupCodes: string[];
}

/** Turns two-step sign-in on in three steps: password, authenticator app, backup codes. It is on once a code of the app was accepted. */
export function SetUpTwoFactor({ hint, onDone }: { hint: string; onDone: () => void }) {
  const [enrollment, setEnrollment] = useState<Enrollment>();
  const [isVerified, setIsVerified] = useState(false);
  const enable = async (password: string) =>
    setEnrollment(await callAuth<Enrollment>("two-factor/enable", { password }));
  if (!enrollment) return <PasswordConfirmation hint={hint} action={account.continue} onPassword={enable} />;
  if (!isVerified)
    return <AuthenticatorApp uri={enrollment.totpURI} onVerified={() => setIsVerified(true)} />;
  return <BackupCodes codes={enrollment.backupCodes} onDone={onDone} />;
}

function AuthenticatorApp({ uri, onVerified }: { uri: string; onVerified: () => void }) {
  const [code, setCode] = useState("");
  const verify = useMutation({
    mutationFn: () => callAuth("two-factor/verify-totp", { code: code.trim() }),
    onSuccess: onVerified,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    verify.mutate();
  };
  const secret = new URL(uri).searchParams.get("secret") ?? "";
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{account.scan}</Text>
        {/* White in dark mode too: scanners expect a dark code on a light background. */}
        <Box bg="white" p="md" mx="auto" w={212} h={212}>
          <Suspense>
            <QrCode value={uri} size={180} role="img" aria-label={account.qrCode} />
          </Suspense>
        </Box>
        <Stack gap={4}>
          <Text size="sm">{account.enterSecret}</Text>
          <Group gap="xs" wrap="nowrap">
            <Code style={{ overflowWrap: "anywhere" }}>{secret}</Code>
            <CopyButton value={secret} what={account.secret} />
          </Group>
        </Stack>
        <TextInput
          label={account.code}
          description={account.codeHint}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={verify.error ? errorMessage(verify.error) : undefined}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={verify.isPending}>
            {account.turnOn}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
