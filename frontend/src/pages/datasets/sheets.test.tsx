import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { Sheets } from "./sheets";

vi.mock("react-i18next", () => ({
  useTranslation: () => ({ t: (key: string, of?: { why?: string }) => (of?.why ? `${key}(${of.why})` : key), i18n: { language: "ja" } }),
}));
vi.mock("../../parts/format", () => ({ useFormat: () => ({ count: String }) }));

const sheets = [
  { name: "営業", rows: 2, read: true, why: { en: "named", ja: "列名が合います" } },
  { name: "廃止", rows: 1, hidden: true, read: false, why: { en: "hidden", ja: "非表示です" } },
];
const page = (chosen: string[] | undefined, of = sheets) =>
  renderToStaticMarkup(
    <MantineProvider>
      <Sheets sheets={of} chosen={chosen} onChange={() => {}} />
    </MantineProvider>,
  );

describe("the sheets of a workbook", () => {
  it("are no question where there is one", () => expect(page(undefined, sheets.slice(0, 1))).not.toContain("datasets.sheets"));

  it("say why each is read or not, until people choose", () => {
    expect(page(undefined)).toContain("datasets.sheetRead(列名が合います)");
    expect(page(undefined)).toContain("datasets.sheetHidden · datasets.sheetLeft(非表示です)");
    expect(page(undefined)).not.toContain("datasets.sheetsBack");
    expect(page(["廃止"])).not.toContain("列名が合います");
    expect(page(["廃止"])).toContain("datasets.sheetsBack");
  });

  it("may not all be left out", () => {
    expect(page([])).toContain("datasets.noSheet");
    expect(page(["営業"])).not.toContain("datasets.noSheet");
  });
});
