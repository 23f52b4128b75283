import { Anchor, Code, Grid, Paper, SegmentedControl, Stack, Tabs, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { quickstart } from "../../texts/quickstart.js";
import { SnippetBlock } from "./snippet-block.js";
import {
  curlSnippet,
  type Framework,
  frameworks,
  helperSnippet,
  installHelperSnippet,
  installWidgetSnippet,
  widgetSnippet,
} from "./snippets.js";
import { TryIt } from "./try-it.js";

/**
 * What a project without a file shows: how to send it the first, by the customer's own code or by hand. Whoever renders it puts
 * the overview in its place once there is one.
 *
 * @param onUploaded the file that was tried here is stored
 */
export function Quickstart(props: { projectRef: string; onUploaded?: () => void }) {
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Paper withBorder p="lg" h="100%">
          <Connect projectRef={props.projectRef} />
        </Paper>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Paper withBorder p="lg" h="100%">
          <TryIt {...props} />
        </Paper>
      </Grid.Col>
    </Grid>
  );
}

function Connect({ projectRef }: { projectRef: string }) {
  const serviceUrl = window.location.origin;
  const [framework, setFramework] = useState<Framework>("Express");
  return (
    <Stack gap="md">
      <Stack gap={4}>
        <Title order={2} size="h4">
          {quickstart.connect}
        </Title>
        <Text size="sm">{quickstart.connectHint}</Text>
        <Text size="sm">
          <Code>STOWAGE_API_KEY</Code> {quickstart.keyIsIn}{" "}
          <Anchor
            underline="always"
            renderRoot={(anchor) => (
              <Link to="/projects/$projectRef/key" params={{ projectRef }} {...anchor} />
            )}
          >
            {quickstart.toKey}
          </Anchor>
        </Text>
      </Stack>
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List mb="md">
          {Object.entries(quickstart.tabs).map(([tab, name]) => (
            <Tabs.Tab key={tab} value={tab}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="curl">
          <Stack gap="sm">
            <Text size="sm">{quickstart.curl}</Text>
            <SnippetBlock label={quickstart.commands} snippet={curlSnippet(serviceUrl)} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="helper">
          <Stack gap="sm">
            <Text size="sm">{quickstart.helper}</Text>
            <SegmentedControl
              aria-label={quickstart.framework}
              data={[...frameworks]}
              value={framework}
              onChange={setFramework}
            />
            <SnippetBlock label={quickstart.install} snippet={installHelperSnippet(framework)} />
            <SnippetBlock label={quickstart.code} snippet={helperSnippet(framework, serviceUrl)} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="widget">
          <Stack gap="sm">
            <Text size="sm">{quickstart.widget}</Text>
            <SnippetBlock label={quickstart.install} snippet={installWidgetSnippet} />
            <SnippetBlock label={quickstart.code} snippet={widgetSnippet} />
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
