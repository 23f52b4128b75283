/** Something happened to an object, somebody says: a reason to look, and no more. */
export interface StorageEvent {
  bucket: string;
  /** The object's key, in each reading that the sender may have meant. */
  keys: string[];
}
