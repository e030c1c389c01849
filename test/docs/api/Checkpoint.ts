// Copied by `npm run docs` from docs/reference/api/Checkpoint.md. Do not edit.
import { Checkpoint } from "../../../src/index.ts"

{
  const checkpoint = Checkpoint.make({ page: 12 })
  console.log(checkpoint.state.page) // 12
}
