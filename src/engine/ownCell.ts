/** The cell of a row, or the member of a struct. Absent: undefined, also under a name that every object inherits, such as `constructor`. */
export const ownCell = (row: object, name: string): unknown =>
  Object.hasOwn(row, name) ? Reflect.get(row, name) : undefined
