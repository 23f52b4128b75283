import { Anchor, Code, Grid, SegmentedControl, Skeleton, Stack, Tabs, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { basePath } from "../../../base-path.js";
import { CodeBlock } from "../../../components/code-block.js";
import { Loaded } from "../../../components/loaded.js";
import { trpc } from "../../../trpc.js";
import { quickstart } from "./quickstart-texts.js";
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
 * Shows how to send files to a project: with code of the customer, or with the dropzone on this page.
 *
 * @param onUploaded called when the dropzone has stored a file
 */
export function Quickstart(props: { projectRef: string; onUploaded?: () => void }) {
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Connect projectRef={props.projectRef} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Stack gap="xl">
          <TryIt {...props} />
          <Guides />
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

/** Links to the documentation that the service serves. */
function Guides() {
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {quickstart.guides}
      </Title>
      {quickstart.guideList.map(({ href, name, what }) => (
        <Text key={href} size="sm">
          <Anchor inherit underline="always" href={basePath + href} target="_blank" rel="noreferrer">
            {name}
          </Anchor>
          {`: ${what}`}
        </Text>
      ))}
    </Stack>
  );
}

function Connect({ projectRef }: { projectRef: string }) {
  const serviceUrl = window.location.origin + basePath;
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
            {quickstart.keyLink}
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
            <CodeBlock label={quickstart.commands} code={curlSnippet(serviceUrl)} />
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
            <CodeBlock label={quickstart.install} code={installHelperSnippet(framework)} />
            <CodeBlock label={quickstart.code} code={helperSnippet(framework, serviceUrl)} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="widget">
          <Stack gap="sm">
            <Text size="sm">{quickstart.widget}</Text>
            <CodeBlock label={quickstart.install} code={installWidgetSnippet} />
            <CodeBlock label={quickstart.code} code={widgetSnippet} />
            <LetPagesIn projectRef={projectRef} />
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

/** The command for CORS rules, and the form of the provider if it has its own. */
function LetPagesIn({ projectRef }: { projectRef: string }) {
  const pages = trpc.projects.pages.useQuery({ projectRef });
  return (
    <Loaded query={pages} skeleton={<Skeleton height={80} />}>
      {({ command, pasted }) => (
        <>
          <Text size="sm">{quickstart.pages}</Text>
          <CodeBlock label={quickstart.pagesCommand} code={command} />
          {pasted.map(({ store, setBy, bucket, form }) => (
            <Stack key={bucket} gap={4}>
              <CodeBlock label={`${quickstart.pagesPasted(store ?? "")} (${bucket})`} code={form} />
              <Text size="sm">
                {quickstart.pagesSetBy} {setBy}
              </Text>
            </Stack>
          ))}
        </>
      )}
    </Loaded>
  );
}
