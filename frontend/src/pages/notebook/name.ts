import { createContext } from "react";

/** The saved notebook whose cells are shown; "" where there is none, or none that files could be made of. */
export const NotebookName = createContext("");
