"""Calls tools of an MCP server for a test: one JSON line {"name", "arguments"} in, one JSON line with the result out.

Usage: call_tools.py http URL KEY | call_tools.py stdio COMMAND [ARGUMENT...]
"""

import asyncio
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client


def transport():
    kind, *rest = sys.argv[1:]
    if kind == "http":
        url, key = rest
        return streamablehttp_client(url, headers={"Authorization": f"Bearer {key}"})
    return stdio_client(StdioServerParameters(command=rest[0], args=rest[1:], env=dict(os.environ)))


async def main():
    loop = asyncio.get_running_loop()
    async with transport() as streams:
        async with ClientSession(streams[0], streams[1]) as session:
            await session.initialize()
            tools = await session.list_tools()
            print(json.dumps({"tools": [tool.name for tool in tools.tools]}), flush=True)
            while line := await loop.run_in_executor(None, sys.stdin.readline):
                request = json.loads(line)
                try:
                    result = await session.call_tool(request["name"], request["arguments"])
                    shown = {
                        "isError": bool(result.isError),
                        "data": result.structuredContent,
                        "text": result.content[0].text if result.content else "",
                    }
                except Exception as error:  # The test reports what the client says.
                    shown = {"isError": True, "data": None, "text": f"{type(error).__name__}: {error}"}
                print(json.dumps(shown), flush=True)


asyncio.run(main())
