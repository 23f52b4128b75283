import {
  Avatar,
  Menu,
  Text,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from "@mantine/core";
import { IconHeartbeat, IconLogout, IconMoon, IconSun, IconUser, IconUsersGroup } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useSignOut } from "../components/session.js";
import { shell } from "../components/shell-texts.js";

/** The operator's menu: account, for administrators all operators and the health, colour scheme, sign out. */
export function AccountMenu(props: { name: string; email: string; isAdmin: boolean }) {
  const { name, email, isAdmin } = props;
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme("light") === "dark";
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton aria-label={shell.accountMenu(name)}>
          {/* No initials: the visible text would differ from the label, and speech input users would say the wrong name. */}
          <Avatar color="gray" radius="xl" size={28} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Text px="sm" pt={6} fw={600} size="sm" lineClamp={1}>
          {name}
        </Text>
        <Text px="sm" pb={6} size="xs" c="dimmed" lineClamp={1}>
          {email}
        </Text>
        <Menu.Divider />
        <Menu.Item leftSection={<IconUser size={16} />} onClick={() => void navigate({ to: "/account" })}>
          {shell.account}
        </Menu.Item>
        {isAdmin && (
          <>
            <Menu.Item
              leftSection={<IconUsersGroup size={16} />}
              onClick={() => void navigate({ to: "/operators" })}
            >
              {shell.operators}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconHeartbeat size={16} />}
              onClick={() => void navigate({ to: "/health" })}
            >
              {shell.installationHealth}
            </Menu.Item>
          </>
        )}
        <Menu.Item
          leftSection={isDark ? <IconSun size={16} /> : <IconMoon size={16} />}
          onClick={() => setColorScheme(isDark ? "light" : "dark")}
        >
          {isDark ? shell.toLight : shell.toDark}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} />}
          closeMenuOnClick={false}
          disabled={signOut.isPending}
          onClick={() => signOut.mutate()}
        >
          {shell.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
