import { QueryClient } from "@tanstack/react-query";
import { ApiProblem } from "../api/problem";

/** Answers of the server stay fresh for a while: finished runs never change, and running ones announce themselves by events. */
export const queryClient = new QueryClient({
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
