import {
  Counter,
  type CounterConfiguration,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  type Registry,
} from "prom-client";

/* A family is all samples with one name. It belongs to one registry, never to the global one of prom-client. */

export function addCounter<Label extends string>(
  registry: Registry,
  options: CounterConfiguration<Label>,
): Counter<Label> {
  return new Counter({ ...options, registers: [registry] });
}

export function addGauge<Label extends string>(
  registry: Registry,
  options: GaugeConfiguration<Label>,
): Gauge<Label> {
  return new Gauge({ ...options, registers: [registry] });
}

export function addHistogram<Label extends string>(
  registry: Registry,
  options: HistogramConfiguration<Label>,
): Histogram<Label> {
  return new Histogram({ ...options, registers: [registry] });
}
