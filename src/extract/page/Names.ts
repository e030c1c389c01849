/** Names of vocabularies, short, and those whose values are addresses. */

/** The last part: "Product" of "https://schema.org/Product", "name" of "schema:name". */
export const shortName = (name: string): string => {
  const plain = name.trim().replace(/(?<![/#])[/#]+$/, "")
  const cut = Math.max(plain.lastIndexOf("/"), plain.lastIndexOf("#"))
  if (cut !== -1) return plain.slice(cut + 1)
  const colon = plain.lastIndexOf(":")
  return colon > 0 && colon < plain.length - 1 && !/\s/.test(plain) ? plain.slice(colon + 1) : plain
}

export const shortNames = (names: string): ReadonlyArray<string> => [...new Set(tokens(names).map(shortName))]

/** The words of an attribute that holds a list. */
export const tokens = (list: string | undefined): ReadonlyArray<string> =>
  list === undefined
    ? []
    : list
        .split(/[ \t\n\f\r]+/)
        .filter((token) => token !== "")
        .slice(0, maxTokens)

const maxTokens = 50

/** Whether values of that name are addresses rather than the text of a link. */
export const isAddressName = (name: string): boolean =>
  addressNames.has(name) || (name.length > 3 && name.endsWith("Url"))

/** An address that leads from the page: "/a", "../a", "#a", "images/a", "a.png", and no "www.site.test/a". */
export const isRelative = (text: string): boolean => relative.test(text)

const relative = /^(?!www\.)(?:\.{0,2}\/|[#?]|[\w%~-]+(?:\/|\.\w{2,5}$))\S*$/

const addressNames: ReadonlySet<string> = new Set(
  (
    "url image images logo photo thumbnail sameAs hasMenu menu hasMap map maps license acceptedPaymentMethod " +
    "mainEntityOfPage discussionUrl screenshot trailer codeRepository isBasedOnUrl significantLink relatedLink " +
    "paymentUrl ticketToken availability itemCondition additionalType audio video associatedMedia item target " +
    "primaryImageOfPage publishingPrinciples usageInfo homepage weblog depiction " +
    "eventStatus eventAttendanceMode businessFunction dayOfWeek"
  ).split(" ")
)
