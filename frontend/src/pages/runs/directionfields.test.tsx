import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { appendDirections, DirectionFields, namesIn } from "./directionfields";

vi.mock("react-i18next", () => ({ useTranslation: () => ({ t: (key: string) => key }) }));

it("reads names between the commas of either language", () => {
  expect(namesIn(" Note, 採点、点， ")).toEqual(["Note", "採点", "点"]);
});

it("sends what was said, and nothing else", () => {
  const body = new FormData();
  appendDirections(body, { lower: "Note", higher: " " });
  expect([...body.entries()]).toEqual([["lower", '["Note"]']]);
});

it("asks for both ways", () => {
  const page = renderToStaticMarkup(
    <MantineProvider>
      <DirectionFields directions={{ lower: "Note", higher: "tone" }} onChange={() => {}} />
    </MantineProvider>,
  );
  expect(page).toContain('value="Note"');
  expect(page).toContain('value="tone"');
});
