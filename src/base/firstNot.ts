/**
 * The index of the first item for which `isTrue` is false, by binary search: the items for which it is true must come first.
 * Used to find a position of a page among its headings, lists and rows, which are in the order of the page.
 */
export const firstNot = <A>(items: ReadonlyArray<A>, isTrue: (item: A) => boolean): number => {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && isTrue(item)) low = middle + 1
    else high = middle
  }
  return low
}
