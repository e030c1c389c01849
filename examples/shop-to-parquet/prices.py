"""The products as pandas sees them:  pip install deltalake pandas && python3 prices.py"""

from pathlib import Path

from deltalake import DeltaTable

products = DeltaTable(str(Path(__file__).with_name("lake") / "products")).to_pandas()
products["price"] = products.price.astype(float)
print(products.groupby("in_stock").price.describe().round(2))
