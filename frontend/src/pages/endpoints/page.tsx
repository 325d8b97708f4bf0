import { Button, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useMay } from "../../api/me";
import { useGet } from "../../api/queries";
import type { EndpointRow, EndpointTest } from "../../api/types_settings";
import { useUrlState } from "../../app/url";
import { Badge } from "../../parts/badges";
import { ProblemLine } from "../../parts/confirmdialog";
import { Await, Empty } from "../../parts/faces";
import { absent } from "../../parts/format";
import { Card, Facts, PageHead } from "../../parts/page";
import css from "./endpoints.module.css";
import { Outcome } from "./outcome";

/** Systems that run elsewhere and answer over HTTP. They are registered on the command line, where their keys are. */
export default function EndpointsPage() {
  const { t } = useTranslation();
  const query = useGet<{ items: EndpointRow[] }>("/endpoints");
  return (
    <>
      <PageHead title={t("nav.endpoints")} name={t("nav.endpoints")} below={<span className="soft">{t("endpoints.about")}</span>} />
      <Await query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t("endpoints.none")} next={t("endpoints.noneNext")} command="workbench endpoint add --help" />
          ) : (
            <div className="stack">
              {items.map((e) => (
                <Endpoint key={e.name} endpoint={e} />
              ))}
              <p className="soft small">{t("endpoints.how")}</p>
            </div>
          )
        }
      </Await>
    </>
  );
}

function Endpoint({ endpoint: e }: { endpoint: EndpointRow }) {
  const { t } = useTranslation();
  return (
    <Card
      title={
        <span className="row">
          {e.name} {e.at_most_once && <Badge tone="needs_check">{t("endpoints.atMostOnce")}</Badge>}
        </span>
      }
    >
      <div className={css.endpoint}>
        <Facts
          facts={[
            [t("endpoints.address"), <span key="a" className="mono">{`${e.method} ${e.origin}`}</span>],
            [
              t("endpoints.answerPath"),
              <span key="p" className="mono">
                {e.answer || absent}
              </span>,
            ],
            [
              t("endpoints.contextsPath"),
              e.contexts ? (
                <span key="c" className="mono">
                  {e.contexts}
                </span>
              ) : (
                t("endpoints.noContexts")
              ),
            ],
            [t("endpoints.headers"), e.headers.join(", ") || absent],
            [t("endpoints.keys"), e.key_names.join(", ") || absent],
            [
              t("endpoints.limits"),
              [e.concurrency && t("endpoints.concurrency", { n: e.concurrency }), e.rpm && t("endpoints.perMinute", { n: e.rpm })]
                .filter(Boolean)
                .join(" · ") || t("endpoints.usual"),
            ],
          ]}
        />
        <Test name={e.name} once={e.at_most_once} />
      </div>
    </Card>
  );
}

function Test({ name, once }: { name: string; once: boolean }) {
  const { t } = useTranslation();
  const may = useMay("run");
  const [url, setUrl] = useUrlState(["ask"]);
  const [question, setQuestion] = useState(url.ask);
  const test = useMutation({ mutationFn: () => send<EndpointTest>("POST", `/endpoints/${encodeURIComponent(name)}/test`, { question }) });
  if (!may) return null;
  return (
    <div className="stack no-print">
      <Textarea
        label={t("endpoints.ask")}
        description={t(once ? "endpoints.askOnce" : "endpoints.askRule")}
        autosize
        minRows={2}
        value={question}
        onChange={(e) => setQuestion(e.currentTarget.value)}
        onBlur={() => setUrl({ ask: question })}
      />
      <div>
        <Button loading={test.isPending} disabled={question.trim() === ""} onClick={() => test.mutate()}>
          {t("endpoints.test")}
        </Button>
      </div>
      {test.error && <ProblemLine error={test.error} />}
      {test.data && <Outcome test={test.data} />}
    </div>
  );
}
