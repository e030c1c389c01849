/** A step of one's own: a row of each row. A row for which it throws is a reject. */
export const columns = { name: "VARCHAR", size: "BIGINT" }

export default (row: { name: string; length: number }) => {
  if (/\d/.test(row.name)) throw new Error(`${row.name} is no name`)
  return { name: row.name.toUpperCase(), size: row.length }
}
