/**
 * Where the first item stands of which something is no longer true: of items in order, those of which it is true come first. A place
 * of a page is found so among headings, lists and rows that are in the order of the page.
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
