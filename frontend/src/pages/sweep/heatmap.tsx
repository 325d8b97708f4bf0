import { Chip, NativeSelect } from "@mantine/core";
import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import type { MapCell, SweepPoint, SweepView } from "../../api/types_sweep";
import { useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { useWords } from "../../parts/words";
import { type Axis, combinations, finder, goodness, layout, lowScores, mapOf, measure, nameOf } from "./grid";
import css from "./sweep.module.css";

interface HeatMapProps {
  view: SweepView;
  axes: Axis[];
  metric: string;
  across: string[];
  onMetric: (metric: string) => void;
  onAcross: (names: string[]) => void;
}

/** Every configuration in a table: some parameters run down, the others across; the stronger the colour, the better. */
export function HeatMap({ view, axes, metric, across, onMetric, onAcross }: HeatMapProps) {
  const { t, i18n } = useTranslation();
  const words = useWords();
  const table = layout(axes, across);
  const find = finder(view.runs, table);
  const lowerIsBetter = metric === lowScores || words.spec(metric)?.higher_is_better === false;
  const values = view.runs.flatMap((p) => measure(p, metric)?.value ?? []);
  const metrics = [...new Set(view.runs.flatMap((p) => Object.keys(p.run.totals?.scores ?? {})))];
  const choices = [{ value: lowScores, label: t("sweep.lowScores") }, ...metrics.map((id) => ({ value: id, label: words.metric(id) }))];
  const columns = combinations(table.across);
  const lines = combinations(table.down);
  const telling = [...table.down, ...table.across];
  const map = mapOf(view, metric);
  return (
    <Card
      title={t("sweep.heat")}
      aside={
        <div className="row no-print">
          {telling.length > 1 && (
            <Chip.Group
              multiple
              value={table.across.map((a) => a.name)}
              onChange={(names) => names.length < telling.length && onAcross(names)}
            >
              <span className="soft small">{t("sweep.across")}</span>
              {telling.map((a) => (
                <Chip key={a.name} size="xs" value={a.name}>
                  {words.param(a.name)}
                </Chip>
              ))}
            </Chip.Group>
          )}
          <NativeSelect
            size="xs"
            w={210}
            aria-label={t("sweep.measure")}
            data={choices}
            value={metric}
            onChange={(e) => onMetric(e.currentTarget.value)}
          />
        </div>
      }
    >
      <div className={css.scroll}>
        <table className={css.heat}>
          <caption className="hidden-text">{t("sweep.heat")}</caption>
          <thead>
            {table.across.map((axis, level) => (
              <tr key={axis.name}>
                {table.down.map((a) =>
                  level === table.across.length - 1 ? (
                    <th key={a.name} scope="col" className={css.corner}>
                      {words.param(a.name)}
                    </th>
                  ) : (
                    <td key={a.name} className={css.corner} />
                  ),
                )}
                {spans(columns, level).map((s) => (
                  <th key={s.at} scope="colgroup" colSpan={s.length}>
                    <span className="soft">{words.param(axis.name)}</span> {words.value(axis.name, s.value)}
                  </th>
                ))}
              </tr>
            ))}
          </thead>
          <tbody>
            {lines.map((line, row) => (
              <tr key={line.join(" ")}>
                {table.down.map((axis, level) => {
                  const span = spans(lines, level).find((s) => s.at === row);
                  return (
                    span && (
                      <th key={axis.name} scope="rowgroup" rowSpan={span.length}>
                        {words.value(axis.name, span.value)}
                      </th>
                    )
                  );
                })}
                {columns.map((column) => (
                  <Cell
                    key={column.join(" ")}
                    view={view}
                    axes={axes}
                    point={find(line, column)}
                    metric={metric}
                    all={values}
                    lowerIsBetter={lowerIsBetter}
                    said={map?.cells.find((c) => c.run_id === find(line, column)?.run.run_id)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {map && map.words.en !== "" && <p className="small">{i18n.language === "ja" ? map.words.ja : map.words.en}</p>}
      <p className="soft small">{t("sweep.heatLegend")}</p>
    </Card>
  );
}

interface Span {
  at: number;
  length: number;
  value: string;
}

/** Neighbours that have the same values up to a level share one header. */
function spans(lines: string[][], level: number): Span[] {
  const out: Span[] = [];
  lines.forEach((line, i) => {
    const before = lines[i - 1];
    const last = out[out.length - 1];
    if (last && before && before.slice(0, level + 1).join("\n") === line.slice(0, level + 1).join("\n")) last.length++;
    else out.push({ at: i, length: 1, value: line[level] ?? "" });
  });
  return out;
}

interface CellProps {
  view: SweepView;
  axes: Axis[];
  point: SweepPoint | undefined;
  metric: string;
  all: number[];
  lowerIsBetter: boolean;
  /** What intervals allow to say of it; undefined where there are none. */
  said: MapCell | undefined;
}

function Cell({ view, axes, point, metric, all, lowerIsBetter, said }: CellProps) {
  const { t } = useTranslation();
  const words = useWords();
  const format = useFormat();
  if (!point) return <td className={css.skipped}>{t("sweep.notRun")}</td>;
  const found = measure(point, metric);
  const to = `/runs/${point.run.run_id}`;
  if (!found) {
    return (
      <td className={css.skipped}>
        <PageLink to={to}>{t(`state.${point.run.state}`)}</PageLink>
      </td>
    );
  }
  const heat = { "--heat": `${Math.round(4 + goodness(found.value, all, lowerIsBetter) * 44)}%` } as CSSProperties;
  const value = metric === lowScores ? format.count(found.value) : format.mean(found.value);
  const winner = point.run.run_id === view.winner;
  const baseline = point.run.run_id === view.baseline;
  const level = said && !said.best && !said.gap.differs;
  return (
    <td className={`${css.value} ${winner ? css.best : ""}`} style={heat}>
      <PageLink to={to} title={nameOf(point, axes, words)}>
        <span className={css.figure}>
          {winner && <span title={t("sweep.isWinner")}>★ </span>}
          {value}
          {level && <span title={t("sweep.isLevel")}> ≈</span>}
        </span>
        <span className={css.small}>
          {t("parts.n", { n: found.n })}
          {baseline && ` · ${t("sweep.isBaseline")}`}
        </span>
      </PageLink>
    </td>
  );
}
