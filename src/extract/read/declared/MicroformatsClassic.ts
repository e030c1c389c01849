/** The classes of the first microformats, as the second ones say the same. */

export const classicRoots: ReadonlyMap<string, string> = new Map([
  ["vcard", "card"],
  ["hfeed", "feed"],
  ["hentry", "entry"],
  ["hnews", "news"],
  ["vevent", "event"],
  ["hreview", "review"],
  ["hreview-aggregate", "review-aggregate"],
  ["hproduct", "product"],
  ["hrecipe", "recipe"],
  ["hresume", "resume"],
  ["adr", "adr"],
  ["geo", "geo"]
])

/** What a class or a relation is in an item of a type: "u-url"; with a root where it is an item whatever else it says. */
interface Classic {
  readonly classes: ReadonlyMap<string, string>
  readonly relations: ReadonlyMap<string, string>
  readonly roots: ReadonlyMap<string, string>
}

const mapOf = (written: string): ReadonlyMap<string, string> =>
  new Map(
    written
      .split(" ")
      .filter((pair) => pair !== "")
      .map((pair) => {
        const [name = "", meaning] = pair.split("=")
        return [name, meaning === undefined ? `p-${name}` : meaning.includes("-") ? meaning : `${meaning}-${name}`]
      })
  )

const classic = (classes: string, relations = "", roots = ""): Classic => ({
  classes: mapOf(classes),
  relations: mapOf(relations),
  roots: new Map(
    roots
      .split(" ")
      .map((pair) => pair.split("="))
      .map(([name = "", root = ""]) => [name, root])
  )
})

const address = "post-office-box extended-address street-address locality region postal-code country-name label"

const entry =
  "entry-title=p-name entry-summary=p-summary entry-content=e-content published=dt updated=dt author category"

export const classicOf: ReadonlyMap<string, Classic> = new Map([
  [
    "card",
    classic(
      "fn=p-name honorific-prefix given-name additional-name family-name honorific-suffix nickname email=u logo=u photo=u url=u uid=u " +
        `category adr geo latitude longitude tel note mailer class sort-string bday=dt key=u org organization-name organization-unit title=p-job-title role tz rev=dt sound=u agent ${address}`,
      "tag=p-category"
    )
  ],
  ["feed", classic("author url=u photo=u category", "tag=p-category", "author=card")],
  ["entry", classic(entry, "bookmark=u-url tag=p-category", "author=card")],
  [
    "news",
    classic(
      `entry=p-entry geo dateline source-org item-license=u principles=u ${entry}`,
      "item-license=u-item-license principles=u-principles bookmark=u-url tag=p-category",
      "author=card source-org=card dateline=card"
    )
  ],
  [
    "event",
    classic(
      "summary=p-name dtstart=dt-start dtend=dt-end duration=dt description url=u category location geo attendee contact organizer uid=u",
      "tag=p-category"
    )
  ],
  [
    "review",
    classic(
      "summary=p-name item reviewer=p-author dtreviewed=dt-published rating best worst description=e-content url=u",
      "tag=p-category bookmark=u-url",
      "reviewer=card item=item"
    )
  ],
  [
    "review-aggregate",
    classic(
      "summary=p-name item rating average best worst count votes url=u",
      "tag=p-category bookmark=u-url",
      "item=item"
    )
  ],
  [
    "product",
    classic("fn=p-name photo=u brand category description identifier=u url=u review price listing", "tag=p-category")
  ],
  ["item", classic("fn=p-name photo=u url=u")],
  [
    "recipe",
    classic(
      "fn=p-name ingredient yield instructions=e duration=dt photo=u summary author nutrition published=dt category",
      "tag=p-category",
      "author=card"
    )
  ],
  [
    "resume",
    classic(
      "summary contact education experience skill affiliation publication",
      "",
      "contact=card affiliation=card education=event experience=event"
    )
  ],
  ["adr", classic(address)],
  ["geo", classic("latitude longitude")]
])
