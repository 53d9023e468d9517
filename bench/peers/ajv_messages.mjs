// Ajv's part of bench/messages.sh: node ajv_messages.mjs FOLDER SCHEMA PARTS.
// FOLDER has Ajv in its node_modules; PARTS is a JSON list of lists of messages, each a text.
// First it says its versions and where each message of the first part breaks the schema. Then it answers each line
// `HOW PART PASSES` with the seconds that so many passes over that part took: parse, then validate.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [folder, schemaPath, partsPath] = process.argv.slice(2);
const require = createRequire(join(folder, "here.js"));
const { default: Ajv } = require("ajv/dist/2020.js");
const schema = JSON.parse(readFileSync(schemaPath, "utf8"));
const parts = JSON.parse(readFileSync(partsPath, "utf8"));
const compiled = (allErrors) => new Ajv({ strict: true, strictRequired: true, allErrors }).compile(schema);
const ways = { first: compiled(false), all: compiled(true) };

// What is missing or unknown is named by its own pointer, as ours are. That a condition led to an error is no error.
function places(text) {
  if (ways.all(JSON.parse(text))) return [];
  const pointer = ({ instancePath, params }) => {
    const name = params.missingProperty ?? params.additionalProperty;
    if (name === undefined) return instancePath;
    return `${instancePath}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  };
  return ways.all.errors.filter(({ keyword }) => keyword !== "if").map(pointer);
}

function seconds(validate, texts, passes) {
  let errors = 0;
  const begun = process.hrtime.bigint();
  for (let pass = 0; pass < passes; pass++) {
    for (const text of texts) {
      if (!validate(JSON.parse(text))) errors += validate.errors.length;
    }
  }
  return { seconds: Number(process.hrtime.bigint() - begun) / 1e9, errors };
}

const { version } = require("ajv/package.json");
console.log(JSON.stringify({ ajv: version, node: process.version, places: parts[0].map(places) }));
for await (const line of createInterface({ input: process.stdin })) {
  const [how, part, passes] = line.split(" ");
  console.log(JSON.stringify(seconds(ways[how], parts[Number(part)], Number(passes))));
}
