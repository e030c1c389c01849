"""
A pipeline file as a task of Airflow 2.4 or newer: put this file and site.yaml into the folder of the DAGs.

The key of the run is the DAG run's own: a task that is tried again after its answer was lost finds the run that has committed
under the key, and nothing is loaded or paid for twice.
"""

import json
import os
import subprocess
from datetime import datetime, timedelta
from pathlib import Path

try:
    from airflow.sdk import dag, task
    from airflow.sdk.exceptions import AirflowException, AirflowFailException
except ImportError:  # Airflow 2
    from airflow.decorators import dag, task
    from airflow.exceptions import AirflowException, AirflowFailException

FILE = Path(__file__).with_name("site.yaml")
MILLRACE = os.environ.get("MILLRACE", "millrace")
# A file or arguments that are wrong, and a check that holds the commit: another try says the same.
FINAL = {2: "the pipeline file or its arguments are wrong", 3: "a check holds the commit: see `millrace runs`"}


@dag(schedule="0 3 * * *", start_date=datetime(2026, 1, 1), catchup=False)
def site():
    @task(retries=2, retry_delay=timedelta(minutes=1))
    def load(run_id=None) -> dict:
        ran = subprocess.run([MILLRACE, "run", str(FILE), "--once", run_id, "--json"], capture_output=True, text=True)
        print(ran.stderr)
        if ran.returncode in FINAL:
            raise AirflowFailException(FINAL[ran.returncode])
        if ran.returncode != 0:
            raise AirflowException("the run failed")
        return json.loads(ran.stdout.splitlines()[-1])["rows"]

    load()


site()
