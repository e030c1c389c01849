/**
 * Hints in the classes, ids and roles of a part, as bits. Most sites use the same words.
 *
 * For the trees, a hint is one feature among many.
 */

/** The words of each hint. A word in several lists belongs to the first. */
const words: ReadonlyArray<readonly [hint: string, words: string]> = [
  [
    "navigation",
    "nav navbar navigation menu submenu megamenu dropdown tabs tab subnav topnav sidenav navlinks quicklinks offcanvas drawer burger hamburger skip skiplink rolenavigation rolemenu"
  ],
  ["aside", "sidebar side aside rail sidecol widget widgets complementary secondary rightcol leftcol sidebox"],
  ["footer", "footer foot bottom colophon copyright legal contentinfo siteinfo footnav"],
  ["header", "header masthead topbar banner head brand logo hero jumbotron sitename intro titlebar"],
  ["comments", "comment comments disqus respond commentlist"],
  ["share", "share sharing social addthis sharedaddy facebook twitter follow socials"],
  [
    "related",
    "related recommend recommended recommendations recirc more trending popular also similar suggestions latest upsell crosssell taboola outbrain readmore nextup youmay"
  ],
  [
    "promotion",
    "ad ads advert advertisement promo promotion sponsor sponsored cta callout offer newsletter subscribe subscription signup optin donate mailchimp"
  ],
  ["breadcrumb", "breadcrumb breadcrumbs crumb crumbs trail"],
  ["paging", "pagination pager paging prev previous next paginator pages"],
  [
    "about",
    "meta byline author date time published info details postmeta entrymeta timestamp category categories tag tags bio attribution credit credits reading"
  ],
  ["popup", "cookie cookies consent gdpr modal popup overlay dialog lightbox toast notice alert"],
  ["contents", "toc contents outline tableofcontents"],
  ["content", "content article post entry body main text story blog single richtext prose copy wysiwyg markdown"],
  [
    "product",
    "product products description specs specification specifications feature features review reviews rating price sku buy cart woocommerce summary variant"
  ],
  ["thread", "thread message messages reply replies forum topic question answer posts discussion conversation"],
  ["list", "list grid items item card cards result results listing collection archive feed loop tile tiles row teaser"],
  ["form", "form search login input filter filters sort field contact checkout facet facets toolbar"],
  ["caption", "caption figcaption wpcaption image media gallery thumbnail photo picture slider carousel video"],
  ["hidden", "hidden sr visually screenreader hide mobile invisible print noprint"],
  ["section", "section container wrapper inner column col block module panel region"],
  [
    "action",
    "button btn link links icon icons edit editsection permalink headerlink toggle toggles expand collapse actions tools"
  ],
  ["quote", "quote blockquote pullquote testimonial testimonials"],
  ["footnote", "footnote footnotes reference references reflist notes note bibliography citation"]
]

export const hintNames: ReadonlyArray<string> = words.map(([hint]) => hint)

export const hintBit = (name: string): number => 1 << hintNames.indexOf(name)

const bits = new Map<string, number>()
words.forEach(([, list], at) => {
  for (const word of list.split(" ")) if (!bits.has(word)) bits.set(word, 1 << at)
})

/** The hints in classes, an id or a role, as bits. */
export const hintsOf = (names: string): number => {
  if (names.length > maxNames) return 0
  let hints = 0
  for (const word of names.match(wordsOfName) ?? []) hints |= bits.get(word.toLowerCase()) ?? 0
  if (!joined.test(names)) return hints
  // Names whose words have a meaning only together: "role-navigation", "read-more", "wp-caption".
  for (const name of names.split(/\s+/)) hints |= bits.get(name.replaceAll(/[-_]/g, "").toLowerCase()) ?? 0
  return hints
}

const maxNames = 400
const wordsOfName = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g
const joined = /[-_]|\d/
