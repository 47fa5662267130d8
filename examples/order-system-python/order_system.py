"""An order system: reads the orders that changed since its last run, and ships each order once.

In payhooks, `npm start` serves orders at http://127.0.0.1:4800. Generate a client beside this file, and run it
as often as you like:

    pip install openapi-python-client httpx attrs botocore
    openapi-python-client generate --path ../../docs/openapi.json --meta none --output-path payhooks_client
    python order_system.py http://127.0.0.1:4800 shop.db

For a deployed stack, the address is the output `OrderQueryUrl`.
"""

import sqlite3
import sys

import botocore.session
import httpx
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from payhooks_client import Client
from payhooks_client.api.default import list_orders
from payhooks_client.models import Order, OrderList, OrderStatus
from payhooks_client.types import UNSET

TABLES = """
CREATE TABLE IF NOT EXISTS orders (
    order_id TEXT PRIMARY KEY, status TEXT, sequence INTEGER, shipped INTEGER NOT NULL DEFAULT FALSE);
CREATE TABLE IF NOT EXISTS position (name TEXT PRIMARY KEY, cursor TEXT);
"""


def read_changes(client: Client, shop: sqlite3.Connection) -> None:
    while True:
        kept = shop.execute("SELECT cursor FROM position WHERE name = 'orders'").fetchone()
        page = list_orders.sync(client=client, cursor=kept[0] if kept else UNSET, limit=100)
        if not isinstance(page, OrderList):
            raise SystemExit(f"The order query does not list orders: {page}")
        # One transaction: the position never gets ahead of the orders before it.
        with shop:
            for order in page.orders:
                take(order, shop)
            if page.next_cursor is not None:
                shop.execute("INSERT OR REPLACE INTO position VALUES ('orders', ?)", (page.next_cursor,))
        if page.next_cursor is None:
            return


def take(order: Order, shop: sqlite3.Connection) -> None:
    # An order may come more than once; only a higher sequence is news.
    changed = shop.execute(
        "INSERT INTO orders (order_id, status, sequence) VALUES (?, ?, ?) ON CONFLICT (order_id) DO UPDATE"
        " SET status = excluded.status, sequence = excluded.sequence WHERE excluded.sequence > orders.sequence",
        (order.order_id, order.status, order.sequence),
    )
    if changed.rowcount == 0:
        return
    (shipped,) = shop.execute("SELECT shipped FROM orders WHERE order_id = ?", (order.order_id,)).fetchone()
    # Paid, and nothing that a person must look at. A real system also compares the amount with its price.
    is_deliverable = order.status == OrderStatus.PAID and not order.attention
    if is_deliverable and not shipped:
        shop.execute("UPDATE orders SET shipped = TRUE WHERE order_id = ?", (order.order_id,))
        print(f"{order.order_id}: ship it")
    elif shipped and not is_deliverable:
        print(f"{order.order_id}: shipped, and now {order.status} {order.attention}: ask a person")


class SignatureV4(httpx.Auth):
    """Signs for API Gateway, with the credentials that botocore finds."""

    def __init__(self, host: str) -> None:
        session = botocore.session.get_session()
        # API Gateway's own addresses hold the region: abc123.execute-api.eu-central-1.amazonaws.com
        region = host.split(".")[2] if ".execute-api." in host else session.get_config_variable("region")
        self.signer = SigV4Auth(session.get_credentials(), "execute-api", region)

    def auth_flow(self, request: httpx.Request):
        signed = AWSRequest(request.method, str(request.url), data=request.content)
        self.signer.add_auth(signed)
        request.headers.update(dict(signed.headers))
        yield request


if __name__ == "__main__":
    _, address, database = sys.argv
    url = httpx.URL(address)
    # Local mode takes unsigned requests.
    auth = SignatureV4(url.host) if url.scheme == "https" else None
    shop = sqlite3.connect(database)
    shop.executescript(TABLES)
    read_changes(Client(base_url=address, httpx_args={"auth": auth}), shop)
