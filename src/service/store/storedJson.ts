/**
 * JSON text of a column, read back: a value of the type that this store gave to `JSON.stringify` when it wrote the column.
 * Who calls it says where that is.
 */
export const storedJson = <Value>(text: string): Value =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this store writes its columns, and of that type
  JSON.parse(text) as Value
