/** A line of what a run of imported scores calls low, such as ragas.faithfulness<=0.5. */
const line = /^(.*)(<=|>=)([^<>=]+)$/;

/** Whether answers are low by a metric; with a score, whether that one is low. */
export function isLowBy(lines: string[], metric: string, score?: number): boolean {
  return lines.some((said) => {
    const [, id, sign, at] = line.exec(said) ?? [];
    if (id !== metric || at === undefined) return false;
    return score === undefined || (sign === "<=" ? score <= Number(at) + 1e-9 : score >= Number(at) - 1e-9);
  });
}
