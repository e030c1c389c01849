/** Making the rows and nothing else, which every contestant but COPY has in its figures: `node making.ts <rows>`. */
import { makeRows } from "./pages.ts"
import { begin, tell } from "./work.ts"

const rows = Number(process.argv[2])
const make = makeRows()
begin()
for (let at = 0; at < rows; at += 500) make(at, Math.min(500, rows - at))
tell(rows)
