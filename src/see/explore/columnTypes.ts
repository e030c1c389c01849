/** What a column holds, by its type in the SQL of DuckDB or Postgres. It imports no code, since the page asks too. */
import type { ColumnInfo } from "./ExploreApi.ts"

type Typed = Pick<ColumnInfo, "type">

export const isNumeric = ({ type }: Typed): boolean =>
  /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|FLOAT|REAL|DOUBLE(?: PRECISION)?|DECIMAL|NUMERIC)\b(?!.*\[)/i.test(type)

export const isTime = ({ type }: Typed): boolean => /^(?:TIMESTAMP|DATE)/i.test(type) && !type.endsWith("]")
