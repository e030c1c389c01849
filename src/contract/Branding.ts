/** The format `branding`: colors, fonts, logo and buttons of a page. Values that the page does not have are absent. */
import * as Schema from "effect/Schema"

const texts = Schema.Record(Schema.String, Schema.String)
const button = Schema.optionalKey(texts)

export const Branding = Schema.Struct({
  colorScheme: Schema.optionalKey(Schema.Literals(["light", "dark"])),
  brandName: Schema.optionalKey(Schema.String),
  logo: Schema.optionalKey(Schema.String),
  /** As in the style sheets: background, textPrimary and link, and colors that the page names itself (primary, accent). */
  colors: Schema.optionalKey(texts),
  fonts: Schema.optionalKey(Schema.Array(Schema.Struct({ family: Schema.String }))),
  typography: Schema.optionalKey(
    Schema.Struct({
      fontFamilies: Schema.optionalKey(texts),
      fontStacks: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(Schema.String))),
      fontSizes: Schema.optionalKey(texts)
    })
  ),
  components: Schema.optionalKey(Schema.Struct({ buttonPrimary: button, buttonSecondary: button })),
  images: Schema.optionalKey(texts)
}).annotate({ identifier: "Branding" })
export type Branding = typeof Branding.Type
