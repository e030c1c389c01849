import type * as Page from "../crawl/page/Page.ts"
import type { Json, JsonSchema } from "./JsonSchema.ts"
export interface Input {
  readonly url: string
  readonly page: Page.Page
  readonly markdown: string
}
export interface Extracted {
  readonly data: Json
}
export const extract = (_input: Input, _schema: JsonSchema | undefined, _prompt: string | undefined): Extracted => ({
  data: null
})
