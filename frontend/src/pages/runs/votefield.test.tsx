import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { VoteField } from "./votefield";

vi.mock("react-i18next", () => ({ useTranslation: () => ({ t: (key: string) => key }) }));

it("offers votes of one metric, metrics of their own, and what the names say", () => {
  const page = renderToStaticMarkup(
    <MantineProvider>
      <VoteField votes="fold" onChange={() => {}} />
    </MantineProvider>,
  );
  const offered = [...page.matchAll(/<option value="([a-z]*)"( selected="")?/g)].map((m) => m[1] + (m[2] ? " chosen" : ""));
  expect(offered).toEqual(["", "fold chosen", "apart"]);
});
