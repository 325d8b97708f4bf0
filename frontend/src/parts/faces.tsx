import { Button, Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ApiProblem } from "../api/problem";
import { BackToList } from "./backtolist";
import { problemWords } from "./problemwords";
import css from "./faces.module.css";
import { Icon } from "./icon";
import { PageHead } from "./page";

/** Loading: grey shapes where the content will be. */
export function Loading({ rows = 6 }: { rows?: number }) {
  const { t } = useTranslation();
  return (
    <div className={css.loading} role="status" aria-label={t("faces.loading")}>
      {Array.from({ length: rows }, (_, i) => (
        <Skeleton key={i} height={18} width={`${92 - ((i * 17) % 40)}%`} />
      ))}
    </div>
  );
}

/** Empty: why there is nothing, and the next step. */
export function Empty({ title, next, command, action }: { title: string; next?: string; command?: string; action?: ReactNode }) {
  return (
    <div className={css.face}>
      <h2>{title}</h2>
      {next && <p className="soft">{next}</p>}
      {command && <code className={css.command}>{command}</code>}
      {action}
    </div>
  );
}

/** The words of an error, in the language of the page where it is a known one. */
export function useProblemWords(error: unknown): { title: string; hint: string } {
  const { i18n } = useTranslation();
  return problemWords(error, i18n);
}

/** Error: what went wrong, what to do next, and a way to try again. Where it is all that a page shows, it is the heading of the page. */
export function Failed({ error, retry, page = false }: { error: unknown; retry?: (() => void) | undefined; page?: boolean }) {
  const { t } = useTranslation();
  const { title, hint } = useProblemWords(error);
  return (
    <div className={css.face} role="alert">
      <span className={css.warning}>
        <Icon name="warning" size={26} />
      </span>
      {page ? <PageHead title={title} name={title} /> : <h2>{title}</h2>}
      {hint && <p className="soft">{hint}</p>}
      {retry && (
        <Button variant="default" onClick={retry}>
          {t("faces.retry")}
        </Button>
      )}
      {error instanceof ApiProblem && error.status === 404 && <BackToList />}
    </div>
  );
}

interface Asked<T> {
  data: T | undefined;
  error: unknown;
  isPending: boolean;
  refetch: () => unknown;
}

interface AwaitProps<T> {
  query: Asked<T>;
  rows?: number;
  /** The data is the whole page, with its heading. */
  page?: boolean;
  children: (data: T) => ReactNode;
}

/** Shows the face that fits the state of a question to the server, and the data once it is there. */
export function Await<T>({ query, rows, page = false, children }: AwaitProps<T>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error) return <Failed error={query.error} retry={() => void query.refetch()} page={page} />;
  return <Loading {...(rows ? { rows } : {})} />;
}
