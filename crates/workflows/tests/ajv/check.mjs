// Checks the corpus of messages with Ajv in strict mode: node check.mjs NODE_MODULES.
// Prints one line for each message on which Ajv and the corpus disagree, then the counts.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.argv[2], "here.js"));
const { default: Ajv } = require("ajv/dist/2020.js");
const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url)));
const schema = (name) => read(`../../schemas/pair/${name}.json`);
const strict = () => new Ajv({ strict: true, strictRequired: true, allErrors: true });

const accepts = strict().compile(schema("message"));
const { valid, invalid, bounded } = read("../pair_messages.json");
for (const message of valid) {
  if (!accepts(message)) console.log("refused:", JSON.stringify(message));
}
for (const { message } of invalid) {
  if (accepts(message)) console.log("accepted:", JSON.stringify(message));
}
for (const { list, most, item, message } of bounded) {
  const holds = (count) => accepts({ ...message, [list]: Array(count).fill(item) });
  if (!holds(most)) console.log("refused:", most, list);
  if (holds(most + 1)) console.log("accepted:", most + 1, list);
}
for (const kind of ["propose", "implement", "critique", "verify"]) {
  strict().compile(schema(`${kind}.asked`));
}
console.log(`checked ${valid.length} valid and ${invalid.length} invalid messages, ${bounded.length} bounded lists`);
