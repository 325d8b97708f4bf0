import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import i18next from "i18next";
import { meetAfter } from "../api/me";
import { ApiProblem } from "../api/problem";

const onError = (error: unknown) => meetAfter(error, queryClient);

/** Answers of the server stay fresh for a while: finished runs never change, and running ones announce themselves by events. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      retry: (times, error) => !(error instanceof ApiProblem && error.status < 500 && error.status !== 429) && times < 2,
      // The server says how long to wait when there were too many requests.
      retryDelay: (times, error) =>
        error instanceof ApiProblem && error.status === 429 ? 1000 * Number(error.params.seconds ?? 1) : 1000 * 2 ** times,
    },
  },
});

// Answers hold problems in the language that they were asked in.
i18next.on("languageChanged", () => void queryClient.invalidateQueries());
