import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-base";

/** The values of OTEL_TRACES_SAMPLER, as OpenTelemetry defines them. `ratio` is OTEL_TRACES_SAMPLER_ARG. */
const samplers = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio: number) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio: number) =>
    new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
} satisfies Record<string, (ratio: number) => Sampler>;

export interface SamplingSettings {
  sampler: keyof typeof samplers;
  /** 0 to 1. */
  ratio: number;
}

export function createSampler({ sampler, ratio }: SamplingSettings): Sampler {
  return linkedSampler(samplers[sampler](ratio));
}

/**
 * Samples every span that starts with a link. Only deliveries of webhooks do: they link to a span that was sampled. For all others,
 * `sampler` decides.
 */
function linkedSampler(sampler: Sampler): Sampler {
  return {
    shouldSample: (context, traceId, name, kind, attributes, links) =>
      links.length > 0
        ? { decision: SamplingDecision.RECORD_AND_SAMPLED }
        : sampler.shouldSample(context, traceId, name, kind, attributes, links),
    toString: () => sampler.toString(),
  };
}
