/**
 * Writes a `.br` and a `.gz` copy of each text file of a folder, so that the service need not compress at request time. Files
 * that compression makes larger get none.
 */
export function compressFiles(folder: string): Promise<void>;
