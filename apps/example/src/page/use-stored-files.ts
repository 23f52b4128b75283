import type { File } from "@stowage/schemas";
import { useCallback, useEffect, useRef, useState } from "react";
import { backend } from "./backend.js";

/** The signed-in user's files; `refresh` asks again. Of answers that overtake each other only the newest question's counts. */
export function useStoredFiles(): {
  files: File[] | undefined;
  problem: string | undefined;
  refresh: () => void;
} {
  const [files, setFiles] = useState<File[]>();
  const [problem, setProblem] = useState<string>();
  const newest = useRef(0);
  const refresh = useCallback(() => {
    const question = ++newest.current;
    const ifNewest = (then: () => void) => {
      if (question === newest.current) then();
    };
    backend.files().then(
      (found) =>
        ifNewest(() => {
          setFiles(found);
          setProblem(undefined);
        }),
      (error: Error) => ifNewest(() => setProblem(error.message)),
    );
  }, []);
  useEffect(refresh, [refresh]);
  return { files, problem, refresh };
}
