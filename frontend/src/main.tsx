import "@mantine/core/styles.css";
import "./app/tokens.css";
import "./app/base.css";
import "./app/print.css";
import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { startTexts } from "./app/i18n";
import { queryClient } from "./app/query";
import { router } from "./app/router";
import { theme } from "./app/theme";

const colours = localStorageColorSchemeManager({ key: "workbench.colours" });

await startTexts();

// No inline style elements: the variables are in style sheets, see app/theme.ts.
createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colours}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
