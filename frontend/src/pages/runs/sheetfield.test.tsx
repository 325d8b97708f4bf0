import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { SheetField } from "./sheetfield";

vi.mock("react-i18next", () => ({ useTranslation: () => ({ t: (key: string) => key }) }));

const field = (name: string | undefined, sheet = "") =>
  renderToStaticMarkup(
    <MantineProvider>
      <SheetField file={name === undefined ? undefined : new File([], name)} sheet={sheet} onChange={() => {}} />
    </MantineProvider>,
  );

describe("the sheet of a workbook", () => {
  it("is asked for of workbooks alone", () => {
    for (const name of ["april.xlsx", "APRIL.XLSX"]) expect(field(name)).toContain("results.sheet");
    for (const name of [undefined, "april.csv", "april.json", "xlsx"]) expect(field(name)).not.toContain("results.sheet");
  });

  it("is chosen by itself where nobody names one", () => {
    expect(field("april.xlsx")).toContain('placeholder="results.sheetAuto"');
    expect(field("april.xlsx", "4月")).toContain('value="4月"');
  });
});
