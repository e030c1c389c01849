/**
 * How much is read of a page that says very much. What a page says beyond it is not in its data, and the data's warning says so.
 */

/** Rows of one table or list. */
export const maxRows = 20_000

/** Values that one reader offers of a page. */
export const maxValues = 200_000

export const cutWarning =
  `the page says more than is read of one page (${maxRows.toLocaleString("en")} rows of a list, ` +
  `${maxValues.toLocaleString("en")} values): the rest is not in the data`
