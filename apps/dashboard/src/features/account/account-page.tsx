import { Badge, Button, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { lazy, Suspense } from "react";
import { Loaded } from "../../components/loaded.js";
import { Page } from "../../components/page.js";
import { Section } from "../../components/section.js";
import { useSignOut } from "../../components/session.js";
import { account } from "./account-texts.js";
import { sessions } from "./sessions-texts.js";
import { trpc } from "../../trpc.js";
import { TwoFactor } from "./two-factor.js";
import { loadChunk } from "../../load-chunk.js";

// Lazy because form validation is large and the password section is not at the top of the page.
const ChangePassword = lazy(async () => ({
  default: (await loadChunk(() => import("./change-password.js"))).ChangePassword,
}));

// Lazy because most installations have no OpenID Connect provider.
const SignInService = lazy(async () => ({
  default: (await loadChunk(() => import("./sign-in-service.js"))).SignInService,
}));

// Lazy because these lists are below the first screen.
const Sessions = lazy(async () => ({ default: (await loadChunk(() => import("./sessions.js"))).Sessions }));
const Activity = lazy(async () => ({ default: (await loadChunk(() => import("./activity.js"))).Activity }));

/** The operator's account: identity, password, two-step sign-in, sessions and recent activity. */
export function AccountPage() {
  const me = trpc.session.me.useQuery();
  const methods = trpc.session.signInMethods.useQuery();
  const { oidcName = null, hasPassword = true } = methods.data ?? {};
  const signOut = useSignOut();
  return (
    <Page
      title={account.title}
      width="form"
      actions={
        <Button variant="default" loading={signOut.isPending} onClick={() => signOut.mutate()}>
          {account.signOut}
        </Button>
      }
    >
      <Loaded query={me}>
        {(operator) => (
          <>
            <Section title={account.profile}>
              <Stack gap={4}>
                <Group gap="sm">
                  <Text fw={600} translate="no">
                    {operator.name}
                  </Text>
                  {operator.isAdmin && <Badge variant="light">{account.admin}</Badge>}
                </Group>
                <Text c="dimmed" translate="no" style={{ overflowWrap: "anywhere" }}>
                  {operator.email}
                </Text>
              </Stack>
            </Section>
            {methods.data && oidcName !== null && (
              <Suspense fallback={<Skeleton height={120} />}>
                <SignInService name={oidcName} methods={methods.data} />
              </Suspense>
            )}
            {hasPassword && (
              <>
                <Section isForm title={account.password} hint={account.passwordHint}>
                  <Suspense fallback={<Skeleton height={180} />}>
                    <ChangePassword email={operator.email} />
                  </Suspense>
                </Section>
                <Section
                  isForm
                  title={account.twoFactor}
                  hint={
                    operator.isTwoFactorRequired
                      ? `${account.twoFactorHint} ${account.twoFactorRequired}`
                      : account.twoFactorHint
                  }
                >
                  <TwoFactor isOn={operator.twoFactorEnabled} isRequired={operator.isTwoFactorRequired} />
                </Section>
              </>
            )}
          </>
        )}
      </Loaded>
      <Section title={sessions.title} hint={sessions.hint}>
        <Suspense fallback={<Skeleton height={160} />}>
          <Sessions />
        </Suspense>
      </Section>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {account.activity}
        </Title>
        <Suspense fallback={<Skeleton height={160} />}>
          <Activity />
        </Suspense>
      </Stack>
    </Page>
  );
}
