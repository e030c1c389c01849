import { describe, expect, it } from "vitest"
import { formats } from "#engine/jsonSchema/JsonSchemaFormats"

/** Texts of a format, and texts that are none. */
const cases: Readonly<Record<string, readonly [ReadonlyArray<string>, ReadonlyArray<string>]>> = {
  "date-time": [
    ["2026-11-21T04:23:05Z", "1990-12-31t15:59:60.123456789-08:00"],
    ["2026-11-21", "2026-02-30T00:00:00Z", "2026-11-21T04:23:05", "2026-11-21T04:23:05+01", "1998-12-31T23:58:60Z"]
  ],
  time: [
    ["23:59:60Z", "01:29:60+01:30", "08:30:06.283185Z"],
    ["24:00:00Z", "08:30:06", "12:00:60Z", "T08:30:06Z"]
  ],
  duration: [
    ["P4DT12H30M5S", "P1W", "PT36H", "P1Y2M3D"],
    ["P", "PT", "P1Y3D", "PT1H5S", "P1D2W", "1D"]
  ],
  ipv4: [
    ["0.0.0.0", "255.10.1.99"],
    ["256.0.0.1", "1.2.3", "01.2.3.4", "1.2.3.4.", "1.2.3.4\n"]
  ],
  ipv6: [
    ["::", "::1", "2001:db8::ff00:42:8329", "::ffff:192.168.0.1"],
    ["1::2::3", "12345::", "::1%eth0", "1:2:3:4:5:6:7", "::ffff:01.2.3.4"]
  ],
  uri: [
    ["https://user@example.com:8080/a%20b?q=1#f", "urn:isbn:1", "http://[::1]/", "mailto:a@b.c"],
    ["//no.scheme", "http://x/a b", "http://x:port/", "http://[1]/", "http://ä.example/", "http://x/%zz"]
  ],
  "uri-reference": [
    ["", "../a/b", "?q", "#f", "//host/path", "http://x/"],
    ["\\\\server", "a:b:c d", "#a#b"]
  ],
  iri: [["http://ƒøø.ßår/?∂éœ=πîx"], ["/relative", "http://x/\ud800"]],
  "uri-template": [
    ["http://x/{a}/{+b,c.d:3}{?e*}", "it's"],
    ["{a", "{}", "a}", "{a b}"]
  ],
  regex: [["^a+$"], ["^(abc]", "\\a"]],
  uuid: [["2EB8AA08-aa98-11ea-b4aa-73b441d16380"], ["urn:uuid:2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2eb8aa08aa98"]],
  hostname: [
    ["example.com", "xn--bcher-kva.example", "a--b.c", "1"],
    ["", "-a.b", "a_b", "a.", "bücher.example", "xn--X", `${"a".repeat(64)}.b`]
  ],
  "idn-hostname": [
    ["bücher.example", "例え。テスト"],
    ["〮실례", "a··b", "-ü", ""]
  ],
  email: [
    ["joe.bloggs@example.com", '"joe bloggs"@example.com', "j@[127.0.0.1]", "j@[IPv6:::1]"],
    ["joe", "@x", ".a@x", "a..b@x", "a@-x", "j@[127.0.0.300]", "ü@example.com"]
  ],
  "idn-email": [["실례@실례.테스트"], ["실례", "a@"]]
}

describe("a format", () => {
  for (const [name, [good, bad]] of Object.entries(cases)) {
    it(`${name} is what its standard says`, () => {
      const format = formats[name] ?? expect.fail(`there is no ${name}`)

      expect(good.filter((text) => !format(text))).toEqual([])
      expect(bad.filter((text) => format(text))).toEqual([])
    })
  }

  it("ends soon on long texts", () => {
    const long = "a".repeat(200_000)
    for (const format of Object.values(formats)) {
      for (const text of [long, `http://${long}@`, `${long}.@`, `{${long}`, `P${"1".repeat(200_000)}`]) format(text)
    }
    expect(formats["uri"]?.(`x:${long} `)).toBe(false)
  })
})
