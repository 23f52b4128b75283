import { AppShell, Burger, Container, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Outlet, useParams, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { Loaded } from "../components/loaded.js";
import { Offline } from "../components/offline.js";
import { common } from "../texts/common.js";
import { shell } from "../texts/shell.js";
import { refusalOf, trpc } from "../trpc.js";
import { AccountMenu } from "./account-menu.js";
import { Brand } from "./brand.js";
import { ProjectMenu } from "./project-menu.js";

/** Around every page for people who are signed in; whoever is not is sent to sign in, and then back. */
export function SignedIn() {
  const me = trpc.session.me.useQuery();
  const router = useRouter();
  const isSignedOut = refusalOf(me.error)?.code === "signed_out";
  // Each refusal anew: what held the page the last time may be over.
  const refusedAt = isSignedOut ? me.errorUpdatedAt : 0;
  useEffect(() => {
    if (refusedAt === 0) return;
    const { href } = router.state.location;
    void router.navigate({ to: "/sign-in", search: href === "/" ? {} : { to: href }, replace: true });
  }, [refusedAt, router]);
  // Who was here a moment ago may have a new key on the screen, which is shown once: the page stays until they leave it.
  if (isSignedOut && me.data === undefined) return null;
  return <Loaded query={me}>{(operator) => <Shell name={operator.name} email={operator.email} />}</Loaded>;
}

function Shell(operator: { name: string; email: string }) {
  const { projectRef } = useParams({ strict: false });
  const [isMenuOpen, menu] = useDisclosure();
  const hasMenu = projectRef !== undefined;
  return (
    <AppShell
      header={{ height: 56 }}
      {...(hasMenu ? { navbar: { width: 220, breakpoint: "sm", collapsed: { mobile: !isMenuOpen } } } : {})}
      padding="md"
    >
      <a className="skip-link" href="#content">
        {common.skipToContent}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            {hasMenu && (
              <Burger
                hiddenFrom="sm"
                size="sm"
                opened={isMenuOpen}
                onClick={menu.toggle}
                aria-label={isMenuOpen ? shell.closeMenu : shell.openMenu}
                aria-expanded={isMenuOpen}
              />
            )}
            <Link
              to="/"
              aria-label={`${common.product}: ${shell.projects}`}
              style={{ textDecoration: "none" }}
            >
              <Brand />
            </Link>
          </Group>
          <AccountMenu {...operator} />
        </Group>
      </AppShell.Header>
      {hasMenu && (
        <AppShell.Navbar p="sm" aria-label={shell.mainMenu}>
          <ProjectMenu projectRef={projectRef} onGo={menu.close} />
        </AppShell.Navbar>
      )}
      <AppShell.Main id="content" tabIndex={-1} style={{ outline: "none" }}>
        <Container size="xl" px={0} py="sm">
          <Offline />
          <Outlet />
        </Container>
      </AppShell.Main>
    </AppShell>
  );
}
