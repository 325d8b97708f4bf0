// Writes below the types which contract they were made of, so that a test finds them out of date.
import { createHash } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";

const contract = readFileSync("../../docs/openapi.json");
appendFileSync("../src/api/schema.d.ts", `// of the contract ${createHash("sha256").update(contract).digest("hex")}\n`);
