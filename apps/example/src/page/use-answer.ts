import { useCallback, useEffect, useRef, useState } from "react";

/**
 * What the backend answers to `ask`; `refresh` asks again. Of answers that overtake each other only the newest
 * question's counts.
 *
 * @param ask the same function at each render
 */
export function useAnswer<Answer>(ask: () => Promise<Answer>): {
  answer: Answer | undefined;
  problem: string | undefined;
  refresh: () => void;
} {
  const [answer, setAnswer] = useState<Answer>();
  const [problem, setProblem] = useState<string>();
  const newest = useRef(0);
  const refresh = useCallback(() => {
    const question = ++newest.current;
    const ifNewest = (then: () => void) => {
      if (question === newest.current) then();
    };
    ask().then(
      (found) =>
        ifNewest(() => {
          setAnswer(found);
          setProblem(undefined);
        }),
      (error: Error) => ifNewest(() => setProblem(error.message)),
    );
  }, [ask]);
  useEffect(refresh, [refresh]);
  return { answer, problem, refresh };
}
