import { Badge } from "@mantine/core";
import type { WebhookDeliveryState } from "@stowage/operator-schemas";
import { webhooks as texts } from "./webhooks-texts.js";
import type { Outputs } from "../../trpc.js";

export type Endpoint = Outputs["webhooks"]["list"][number];

/** An endpoint's state. Only the dot is coloured, so that the text keeps its contrast. */
export function EndpointState({ endpoint }: { endpoint: Endpoint }) {
  const [color, label] = stateOf(endpoint);
  return (
    <Badge variant="dot" color={color}>
      {label}
    </Badge>
  );
}

function stateOf({ disabledAt, failingSince }: Endpoint): [color: string, label: string] {
  if (disabledAt !== null) return ["red", texts.disabled];
  return failingSince === null ? ["green", texts.enabled] : ["yellow", texts.failing];
}

const colors: Record<WebhookDeliveryState, string> = {
  pending: "yellow",
  delivered: "green",
  failed: "red",
  // The default gray is too dark for the dark theme.
  skipped: "gray.6",
};

export function DeliveryState({ state }: { state: WebhookDeliveryState }) {
  return (
    <Badge variant="dot" color={colors[state]}>
      {texts.states[state]}
    </Badge>
  );
}
