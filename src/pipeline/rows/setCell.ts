/** A cell of a row that is being made. `__proto__` alone cannot be assigned as a member. */
export const setCell = (row: Record<string, unknown>, name: string, cell: unknown): void => {
  if (name !== "__proto__") row[name] = cell
  else Object.defineProperty(row, name, { value: cell, enumerable: true, writable: true, configurable: true })
}
