/**
 * How much of what pages declare is read as the public suites say.
 *
 *     node bench/structuredData.ts FOLDER
 *
 * FOLDER holds `extruct-samples`, `microformats-tests`, `w3c-microdata-rdf` and `schemaorg-examples`. A case is read
 * where our things are deeply equal to what the suite expects: the same things, properties and values, none too many.
 * Compared are short names (a thing has no vocabulary) and texts with their white space as one blank; a link counts by
 * its text or its address. Not compared is what a thing does not hold: languages and datatypes, markup of texts. Cases
 * about something that is not read, by design, count apart with their reason.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Extruct from "./structuredData/extruct.ts"
import * as Microformats from "./structuredData/microformats.ts"
import { print } from "./structuredData/Suite.ts"
import * as SchemaOrg from "./structuredData/schemaOrg.ts"
import * as W3cMicrodata from "./structuredData/w3cMicrodata.ts"

const [folder = ""] = process.argv.slice(2)
if (!existsSync(join(folder, "extruct-samples"))) {
  console.error(`${folder === "" ? "no folder" : folder} holds no extruct-samples`)
  process.exit(2)
}

for (const suite of [
  ...Extruct.suites(join(folder, "extruct-samples")),
  W3cMicrodata.suite(join(folder, "w3c-microdata-rdf")),
  ...Microformats.suites(join(folder, "microformats-tests")),
  ...SchemaOrg.suites(join(folder, "schemaorg-examples"))
]) {
  print(suite)
}
