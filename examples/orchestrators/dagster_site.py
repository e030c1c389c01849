"""
A pipeline file as an asset of Dagster:  pip install dagster && dagster dev -f dagster_site.py

The key of the run is Dagster's own: if the step is tried again after its answer was lost, a run that has committed under the key is
found, and nothing is loaded or paid for twice.
"""

import json
import os
import subprocess
from pathlib import Path

from dagster import AssetExecutionContext, Definitions, Failure, MaterializeResult, RetryPolicy, ScheduleDefinition, asset, define_asset_job

FILE = Path(__file__).with_name("site.yaml")
MILLRACE = os.environ.get("MILLRACE", "millrace")
# A file or arguments that are wrong, and a check that holds the commit: another try says the same.
FINAL = {2: "the pipeline file or its arguments are wrong", 3: "a check holds the commit: see `millrace runs`"}


@asset(retry_policy=RetryPolicy(max_retries=2, delay=60))
def site(context: AssetExecutionContext) -> MaterializeResult:
    ran = subprocess.run([MILLRACE, "run", str(FILE), "--once", context.run_id, "--json"], capture_output=True, text=True)
    context.log.info(ran.stderr)
    if ran.returncode != 0:
        raise Failure(FINAL.get(ran.returncode, "the run failed"), allow_retries=ran.returncode not in FINAL)
    report = json.loads(ran.stdout.splitlines()[-1])
    return MaterializeResult(metadata={"run": report["run_id"], **{f"rows of {table}": rows for table, rows in report["rows"].items()}})


nightly = ScheduleDefinition(job=define_asset_job("site_job", [site]), cron_schedule="0 3 * * *")
definitions = Definitions(assets=[site], schedules=[nightly])
