import { Box, Button, Code, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, lazy, Suspense, useState } from "react";
import { auth } from "../../auth.js";
import { CopyButton } from "../../components/copy-button.js";
import { sentenceOf } from "../../components/failure.js";
import { account } from "../../texts/account.js";
import { BackupCodes } from "./backup-codes.js";
import { PasswordStep } from "./password-step.js";

const QrCode = lazy(() => import("react-qr-code"));

interface Offer {
  totpURI: string;
  backupCodes: string[];
}

/** Password, then the app, then the codes for when it is lost. Nothing is asked for at sign-in before the app has shown a right code. */
export function SetUpTwoFactor({ onDone }: { onDone: () => void }) {
  const [offer, setOffer] = useState<Offer>();
  const [isVerified, setIsVerified] = useState(false);
  const ask = async (password: string) => setOffer(await auth<Offer>("two-factor/enable", { password }));
  if (!offer) return <PasswordStep hint={account.twoFactorHint} action={account.next} onPassword={ask} />;
  if (!isVerified) return <App uri={offer.totpURI} onVerified={() => setIsVerified(true)} />;
  return <BackupCodes codes={offer.backupCodes} onDone={onDone} />;
}

function App({ uri, onVerified }: { uri: string; onVerified: () => void }) {
  const [code, setCode] = useState("");
  const verify = useMutation({
    mutationFn: () => auth("two-factor/verify-totp", { code: code.trim() }),
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
        {/* White in the dark too: cameras look for dark on light. */}
        <Box bg="white" p="md" mx="auto" w={212} h={212}>
          <Suspense>
            <QrCode value={uri} size={180} role="img" aria-label={account.qrCode} />
          </Suspense>
        </Box>
        <Stack gap={4}>
          <Text size="sm">{account.orType}</Text>
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
          error={verify.error ? sentenceOf(verify.error) : undefined}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={verify.isPending}>
            {account.verify}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
