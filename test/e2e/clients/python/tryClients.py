"""
What the Python clients get from a service, as one JSON object: `python tryClients.py URL HOME PAGE`.

Each client is used as its documentation shows it. A call that raises stops the script.
"""
import asyncio
import json
import sys
import warnings

warnings.simplefilter("ignore")  # of packages about themselves

from firecrawl import AsyncFirecrawl, Firecrawl
from firecrawl.v1 import V1FirecrawlApp

url, home, page = sys.argv[1:]
schema = {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}}}
client = Firecrawl(api_key="fc-any", api_url=url)
got = {}

document = client.scrape(page, formats=["markdown", "links", {"type": "json", "schema": schema}])
got["scrape"] = {"markdown": len(document.markdown), "json": document.json, "status": document.metadata.status_code}
crawl = client.crawl(home, limit=60, scrape_options={"formats": ["markdown"]}, poll_interval=1)
got["crawl"] = {"status": crawl.status, "total": crawl.total, "documents": len(crawl.data)}
started = client.start_crawl(home, limit=60)
got["errors"] = [error.code for error in client.get_crawl_errors(started.id).errors]
snapshots = []
watcher = client.watcher(started.id, poll_interval=1, timeout=60)
watcher.add_listener(lambda snapshot: snapshots.append((snapshot.status, len(snapshot.data))))
watcher.start()
watcher._thread.join(60)
got["watcher"] = snapshots[-1]
batch = client.batch_scrape([page, home], formats=["markdown"], poll_interval=1)
got["batch"] = {"status": batch.status, "documents": len(batch.data)}
got["map"] = len(client.map(home, limit=30).links)
got["search"] = len(client.search("shop", limit=3).web)
got["extract"] = client.extract([page], schema=schema).data
got["agent"] = client.agent(urls=[page], prompt="the name of the product", schema=schema).data
got["preview"] = client.crawl_params_preview(home, "at most 10 pages").limit
monitor = client.create_monitor(
    name="a page", schedule={"cron": "0 * * * *"}, targets=[{"type": "scrape", "urls": [page]}]
)
client.run_monitor(monitor.id)
got["checks"] = len(client.list_monitor_checks(monitor.id))
got["deleted"] = client.delete_monitor(monitor.id)
got["credits"] = client.get_credit_usage().plan_credits
try:
    client.scrape("http://nowhere.invalid/")
except Exception as error:
    got["unreachable"] = type(error).__name__


async def together():
    one = AsyncFirecrawl(api_key="fc-any", api_url=url)
    document = await one.scrape(page, formats=["markdown"])
    crawl = await one.crawl(url=home, limit=5, poll_interval=1)
    return {"markdown": len(document.markdown), "documents": len(crawl.data)}


got["async"] = asyncio.run(together())

old = V1FirecrawlApp(api_key="fc-any", api_url=url)
got["v1"] = {
    "markdown": len(old.scrape_url(page, formats=["markdown"]).markdown),
    "documents": len(old.crawl_url(home, limit=5, poll_interval=1).data),
    "links": len(old.map_url(home).links) > 5,
    "extract": old.extract([page], prompt="the name", schema=schema).data,
}

try:
    from langchain_community.document_loaders import FireCrawlLoader
except ImportError:
    got["langchain"] = None
else:
    def load(mode, address, **params):
        loader = FireCrawlLoader(url=address, api_key="fc-any", api_url=url, mode=mode, params=params)
        return [len(document.page_content) for document in loader.load()]

    got["langchain"] = {
        "scrape": load("scrape", page),
        "crawl": len(load("crawl", home, limit=5)),
        "map": len(load("map", home)) > 5,
    }

print(json.dumps(got))
