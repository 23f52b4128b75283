import * as z from "zod";
import { httpUrl, trueOrFalse, wholeNumber } from "./parsers.js";
import { setting, type SettingGroup } from "./setting.js";

const otlpProtocol = z.literal("http/protobuf", {
  error: "must be http/protobuf: the service exports spans with no other protocol",
});

export const log = {
  LOG_LEVEL: setting(
    z
      .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
        error: "must be fatal, error, warn, info, debug, trace or silent",
      })
      .default("info"),
    {
      meaning: "The least important lines that the service logs. `info` has one line for each request.",
      neededBy: "installations that log less or more",
    },
  ),
} satisfies SettingGroup;

export const metrics = {
  METRICS_PORT: setting(wholeNumber(0, 65535).optional(), {
    value: "port",
    ifUnset: "no metrics",
    meaning:
      "Port of `/metrics` for [Prometheus](metrics.md), apart from `PORT`: it has no password. 0: a free port.",
    neededBy: "monitoring with Prometheus",
  }),
  METRICS_HOST: setting(z.string().default("127.0.0.1"), {
    value: "address",
    meaning: "Address of `METRICS_PORT`. Only the network of Prometheus should reach it.",
    neededBy: "a Prometheus on another machine",
  }),
} satisfies SettingGroup;

export const traces = {
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(httpUrl.optional(), {
    value: "URL",
    ifUnset: "no traces",
    meaning: "A collector for OTLP over HTTP. The path `/v1/traces` is added.",
    neededBy: "[traces](tracing.md)",
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: setting(httpUrl.optional(), {
    value: "URL",
    ifUnset: "`OTEL_EXPORTER_OTLP_ENDPOINT`",
    meaning: "The same with its path, only for spans.",
    neededBy: "collectors with another path",
  }),
  OTEL_TRACES_EXPORTER: setting(z.enum(["otlp", "none"], { error: "must be otlp or none" }).optional(), {
    ifUnset: "`otlp` if one of the two addresses is set, else `none`",
    meaning: "Where spans are sent. `otlp` without an address: `http://localhost:4318`.",
    neededBy: "a collector on the same machine",
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: setting(otlpProtocol.optional(), {
    ifUnset: "`http/protobuf`",
    meaning: "The start fails with another protocol.",
    neededBy: "environments that set it for all programs",
  }),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: setting(otlpProtocol.optional(), {
    ifUnset: "`http/protobuf`",
    meaning: "The same, only for spans.",
    neededBy: "environments that set it for all programs",
  }),
  OTEL_TRACES_SAMPLER: setting(
    z
      .enum(
        [
          "always_on",
          "always_off",
          "traceidratio",
          "parentbased_always_on",
          "parentbased_always_off",
          "parentbased_traceidratio",
        ],
        { error: "must be a sampler of OpenTelemetry, such as parentbased_traceidratio" },
      )
      .default("parentbased_always_on"),
    {
      meaning:
        "Which traces are recorded. The samplers `parentbased_…` follow the choice of customers' backends.",
      neededBy: "[traces](tracing.md#sampling) of much traffic",
    },
  ),
  OTEL_TRACES_SAMPLER_ARG: setting(
    z.coerce
      .number({ error: "must be a number" })
      .min(0, { error: "must be at least 0" })
      .max(1, { error: "must be at most 1" })
      .default(1),
    {
      value: "share",
      meaning: "The share of traces that a sampler `…traceidratio` records.",
      neededBy: "these samplers",
    },
  ),
  OTEL_SDK_DISABLED: setting(trueOrFalse.prefault("false"), {
    meaning: "`true`: no spans, also if other settings ask for them.",
    neededBy: "environments that set `OTEL_…` for all programs",
  }),
} satisfies SettingGroup;
