// Copied by `npm run docs` from docs/reference/api/Source.md. Do not edit.
import { Source } from "../../../src/index.ts"

{
  console.log(Source.progress({ discovered: 10, failed: 1 })._tag) // "Progress"
}
