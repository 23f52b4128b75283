import type { StorageAddress } from "#object-store/object-store.js";
import { findProvider, providers, writeCorsForm } from "#object-store/providers.js";
import { privateRule, publicRule } from "./apply-cors.js";

/** The rules that pages need in a bucket, to be pasted. */
export interface PastedRules {
  /** Null: a call that every store with an API for CORS rules takes. */
  store: string | null;
  /** Who may set them, or where. */
  setBy: string;
  bucket: string;
  form: string;
}

/**
 * Writes the rules in the form of the provider that the endpoint names. If it names none, they are written in the call of S3, and in the
 * forms of the servers that have no such call.
 */
export function writePastedRules(
  { endpoint, bucket, publicBucket }: StorageAddress,
  origins: string[],
): PastedRules[] {
  const buckets = [
    { bucket, rule: privateRule(origins) },
    ...(publicBucket === null ? [] : [{ bucket: publicBucket, rule: publicRule }]),
  ];
  return storesAt(endpoint).flatMap(({ name: store, cors: { form, setBy } }) =>
    buckets.map((one) => ({
      store,
      setBy,
      bucket: one.bucket,
      form: writeCorsForm(form, { ...one, endpoint }),
    })),
  );
}

/**
 * What the dashboard says about pages that upload: the command, and another form if the provider has one.
 *
 * @param name of the storage. @default null, for the only one
 */
export function describePages(storage: StorageAddress, origin: string, name: string | null = null) {
  const provider = findProvider(storage.endpoint)?.provider ?? null;
  const hasOwnForm = provider !== null && provider.cors.form !== "aws";
  return {
    provider: provider?.name ?? null,
    command: `stowage cors apply --origin ${origin}${name === null ? "" : ` --storage ${name}`}`,
    pasted: hasOwnForm ? writePastedRules(storage, [origin]) : [],
  };
}

function storesAt(endpoint: string) {
  const provider = findProvider(endpoint)?.provider;
  if (provider) return [provider];
  const anyStore = { name: null, cors: { form: "aws" as const, setBy: "the owner of the bucket" } };
  return [anyStore, ...providers.filter(({ host, cors }) => host === null && cors.form !== "aws")];
}
