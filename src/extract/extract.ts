/**
 * Data of a page in the shape of a JSON Schema, without a model.
 *
 * How: readers offer what the page says, declared and shown (`read/`); the matcher fills the schema from it (`match/`);
 * values are read as types and formats want them (`value/`). Where the schema asks for an article, what `article/` finds
 * is offered too. An answer that is data, and no page, offers its fields by their names (`read/data/`). Without a schema the
 * prompt says what is wanted; questions are answered with passages (`answer/`).
 *
 * A value is taken from the page or it is null. Nothing is guessed, and the same page gives the same data.
 */

import type { JsonSchema } from "#contract/JsonSchema"
import type { Input } from "#web/SchemaFiller"
import * as Passages from "./answer/Passages.ts"
import { promptedData } from "./answer/promptedData.ts"
import type { Extracted } from "./Candidates.ts"
import { match } from "./match/Matcher.ts"
import { pageLocale } from "./pageLocale.ts"
import { candidates } from "./read/candidates.ts"
import { dataCandidates } from "./read/data/dataCandidates.ts"
import { withArticle } from "./withArticle.ts"

export const extract = (
  { html, metadata, url }: Input,
  schema: JsonSchema | undefined,
  prompt: string | undefined
): Extracted => {
  const data = dataCandidates(html, url)
  const found = data ?? candidates(html, url)
  const setting = pageLocale(url, found, metadata["language"])
  if (schema === undefined) return promptedData(found, setting, prompt ?? "", () => Passages.read(html, url))
  return match(data ?? withArticle(found, html, url, schema), schema, setting, prompt)
}
