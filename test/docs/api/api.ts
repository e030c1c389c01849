// Copied by `npm run docs` from docs/reference/api/api.md. Do not edit.
import * as Schema from "effect/Schema"
import { BatchRequest, CrawlRequest, MapRequest, SearchRequest, SupportRequest } from "../../../src/api/index.ts"

{
  const request = Schema.decodeUnknownSync(BatchRequest)({ urls: ["https://docs.example.com/a", "https://docs.example.com/b"] })
  console.log(request.urls.length) // 2
}
{
  const request = Schema.decodeUnknownSync(CrawlRequest)({ url: "https://docs.example.com", limit: 10 })
  console.log(request.limit) // 10
}
{
  const request = Schema.decodeUnknownSync(MapRequest)({ url: "https://docs.example.com", limit: 100 })
  console.log(request.limit) // 100
}
{
  const request = Schema.decodeUnknownSync(SearchRequest)({ query: "effect streams", limit: 5 })
  console.log(request.limit) // 5
}
{
  const request = Schema.decodeUnknownSync(SupportRequest)({ question: "How do I crawl one folder of a site?" })
  console.log(request.question) // "How do I crawl one folder of a site?"
}
