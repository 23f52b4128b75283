import { Menu, type MenuProps, Text, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconHeartbeat, IconLogout, IconMoon, IconSun, IconUser, IconUsersGroup } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import type { RefObject } from "react";
import { ExistingTarget } from "../components/existing-target.js";
import { useSignOut } from "../components/session.js";
import { shell } from "../components/shell-texts.js";

/** The operator's menu: account, for administrators all operators and the health, colour scheme, sign out. */
export function AccountMenuItems(props: {
  name: string;
  email: string;
  isAdmin: boolean;
  target: RefObject<HTMLElement>;
  menuProps: MenuProps;
}) {
  const { name, email, isAdmin, target, menuProps } = props;
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme("light") === "dark";
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end" width={240} {...menuProps}>
      <Menu.Target>
        <ExistingTarget element={target} />
      </Menu.Target>
      <Menu.Dropdown>
        <Text px="sm" pt={6} fw={600} size="sm" lineClamp={1} translate="no">
          {name}
        </Text>
        <Text px="sm" pb={6} size="xs" c="dimmed" lineClamp={1} translate="no">
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
