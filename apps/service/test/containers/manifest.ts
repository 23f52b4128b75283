import { ExternalSecret } from "@kubernetes-models/external-secrets/external-secrets.io/v1/ExternalSecret";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler";
import { Job } from "kubernetes-models/batch/v1/Job";
import { Ingress } from "kubernetes-models/networking.k8s.io/v1/Ingress";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { Pod } from "kubernetes-models/v1/Pod";
import type { IPodTemplateSpec } from "kubernetes-models/v1/PodTemplateSpec";
import { Service } from "kubernetes-models/v1/Service";
import { ServiceAccount } from "kubernetes-models/v1/ServiceAccount";
import { expect } from "vitest";

/** An object of Kubernetes, as far as the tests read it. */
export interface Manifest {
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  data?: Record<string, string>;
  spec?: { template: IPodTemplateSpec };
}

const models = {
  ConfigMap,
  Deployment,
  ExternalSecret,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  Pod,
  PodDisruptionBudget,
  Service,
  ServiceAccount,
};

/** @throws {Error} if the object has not the form that Kubernetes demands */
export function validate(manifest: Manifest): void {
  const Model = models[manifest.kind as keyof typeof models] as unknown as new (data: Manifest) => {
    validate(): void;
  };
  new Model(manifest).validate();
}

/**
 * Expects only properties that Kubernetes knows. The schemas accept unknown ones, but a value of a wrong type is refused only where
 * the schema knows the property.
 */
export function expectKnownProperties(manifest: Manifest): void {
  for (const path of pathsOf(manifest)) {
    const wrong = structuredClone(manifest);
    replaceByWrongType(wrong, path);
    expect(() => validate(wrong), path.join(".")).toThrow();
  }
}

/** The path of each property and each array element. */
function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const own = [...path, key];
    const isType = own.length === 1 && (key === "apiVersion" || key === "kind");
    return isType ? [] : [own, ...pathsOf(child, own)];
  });
}

function replaceByWrongType(target: unknown, path: string[]): void {
  const last = path.at(-1)!;
  let parent = target as Record<string, unknown>;
  for (const key of path.slice(0, -1)) parent = parent[key] as Record<string, unknown>;
  parent[last] = typeof parent[last] === "object" ? 1 : { wrong: true };
}
