import { createTheme } from "@mantine/core";

/**
 * The theme of the ready-made components. Colours and fonts are set in tokens.css instead, because Mantine would write
 * them into an inline style element, which the content security policy forbids.
 */
export const theme = createTheme({
  primaryColor: "indigo",
  defaultRadius: "md",
  cursorType: "pointer",
  components: {
    // Locking the scroll position and scroll bars also need inline style elements.
    ModalRoot: { defaultProps: { lockScroll: false, transitionProps: { duration: 0 } } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 250, events: { hover: true, focus: true, touch: true } } },
    Button: { defaultProps: { size: "xs" } },
  },
});
