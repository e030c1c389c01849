/** The cell of a row, or the member of a struct. Absent: undefined, also under a name that every object inherits, such as `constructor`. */
export const ownCell = (row: object, name: string): unknown =>
  Object.hasOwn(row, name) ? Reflect.get(row, name) : undefined

/** Makes `ownCell` for one name and many rows: of most names objects inherit nothing, and the cell is read as it is. */
export const ownCellReader = (name: string): ((row: Readonly<Record<string, unknown>>) => unknown) =>
  name in {} ? (row) => ownCell(row, name) : (row) => row[name]
