/** Data of a page in the shape of a schema, by our own rules. */
import type * as SchemaFiller from "#web/SchemaFiller"
import { extract } from "./extract.ts"
import type { Filled, Wanted } from "./Filled.ts"

export const byRules = (page: SchemaFiller.Input, { prompt, schema }: Wanted): Filled => ({
  ...extract(page, schema, prompt),
  engine: { name: "rules" },
  tokens: 0
})
