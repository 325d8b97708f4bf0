import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/**
 * Packs every file that shrinks by it: the program carries it once, and the server hands it out as it is and never compresses itself.
 * The page stays readable beside its .gz: it tells the build and the program that there are pages.
 */
function precompress(): Plugin {
  let folder = "";
  return {
    name: "precompress",
    apply: "build",
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    closeBundle() {
      for (const file of filesBelow(folder)) {
        if (!/\.(js|css|html|svg|json)$/.test(file)) continue;
        const plain = readFileSync(file);
        const packed = gzipSync(plain, { level: constants.Z_BEST_COMPRESSION });
        if (packed.length >= plain.length) continue;
        writeFileSync(`${file}.gz`, packed);
        if (file !== join(folder, "index.html")) rmSync(file);
      }
      writeFileSync(join(folder, ".gitkeep"), "");
    },
  };
}

/** Whether a module may be in the file that every page loads: the editor of cells, which comes when somebody edits, is none of it. */
function shared(id: string): boolean {
  return !/\/src\/(pages|locales)\/|codemirror|lezer|marijn|crelt|style-mod|w3c-keyname/.test(id);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

const server = process.env.WORKBENCH_SERVER ?? "http://127.0.0.1:7700";

export default defineConfig({
  plugins: [react(), precompress()],
  build: {
    target: "es2022",
    assetsInlineLimit: 0, // the content security policy allows no data: scripts, fonts or styles
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false }, // it would be an inline script
    cssCodeSplit: false, // all is 45 KB as sent, and a page would ask for twelve pieces of it
    rolldownOptions: {
      output: {
        // What several pages use is one file: in pieces of what exactly the same pages use, a page would ask for fifty, most of less than 1 KB.
        // The style sheets of main.tsx stay before those of the parts, which overrule them.
        codeSplitting: {
          groups: [
            { name: "first", test: /\/src\/app\/[a-z]+\.css$|@mantine\/.*\.css$/, priority: 1 },
            { name: "shared", test: shared, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: {
    port: 7701,
    proxy: { "/api": { target: server, changeOrigin: true, headers: { origin: server } } },
  },
  test: {
    environment: "node",
    include: ["src/**/*.test.{ts,tsx}"],
    testTimeout: 60_000, // a busy machine is no failure
    // To load React and Mantine anew for every file is four fifths of the work, and the tests change nothing that they share.
    pool: "threads",
    isolate: false,
  },
});
