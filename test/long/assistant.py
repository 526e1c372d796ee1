"""Calls /mcp with the official Python client, as the host of an assistant does, and prints the answers as JSON."""

import asyncio
import json
import os
import sys

from mcp import ClientSession, MCPError
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client


async def asked(key: str) -> dict:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    http_client = create_mcp_http_client(headers=headers)
    async with streamable_http_client(f"{os.environ['API_URL']}/mcp", http_client=http_client) as streams:
        async with ClientSession(streams[0], streams[1]) as session:
            await session.initialize()
            tools = await session.list_tools()

            async def call(name: str, **arguments: object) -> dict:
                try:
                    result = await session.call_tool(name, arguments)
                except MCPError as error:
                    return {"isError": True, "text": str(error)}
                return {"isError": bool(result.is_error), "text": result.content[0].text}

            return {
                "tools": [tool.name for tool in tools.tools],
                "total": await call("query_totals", dataset="ggr", country=["Malta"], fx=["EUR"], by=["year"]),
                "wrongSum": await call("query_totals", dataset="ggr", country=["Malta"]),
                "misspelt": await call("query_rows", dataset="ggr", contry=["Malta"]),
                "second": await call("list_datasets"),
            }


def refusal(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error)


try:
    print(json.dumps(asyncio.run(asked(sys.argv[1] if len(sys.argv) > 1 else ""))))
except BaseException as error:  # noqa: BLE001
    print(json.dumps({"refused": refusal(error)}))
