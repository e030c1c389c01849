"""What Spark finds in a table of a lake: reads questions from stdin as JSON, and prints an answer for each as JSON."""
import json
import os
import sys

from pyspark.sql import SparkSession
from pyspark.sql.functions import expr

os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
settings = {
    "spark.databricks.delta.snapshotPartitions": "2",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
builder = SparkSession.builder.master("local[2]")
for name, value in settings.items():
    builder = builder.config(name, value)
spark = builder.getOrCreate()
spark.sparkContext.setLogLevel("ERROR")

# How each format calls the version that is asked for.
version_of = {"delta": "versionAsOf", "iceberg": "snapshot-id"}
answers = []
for asked in json.load(sys.stdin):
    table = spark.read.format(asked["format"]).option(version_of[asked["format"]], asked["version"]).load(asked["path"])
    rows = table.select(expr(asked["select"]).alias("row")).collect()
    answers.append(
        {
            "rows": sorted(row["row"] for row in rows),
            "comments": {field.name: field.metadata.get("comment") for field in table.schema.fields},
        }
    )
spark.stop()
print(json.dumps(answers))
